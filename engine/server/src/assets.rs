//! The page's files, embedded and compressed by `build.rs`.

use crate::etag::is_known;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, VARY,
};
use axum::http::{StatusCode, header::ACCEPT_ENCODING};
use axum::response::{IntoResponse, Response};

/// One file of the page.
struct Asset {
    path: &'static str,
    plain: &'static [u8],
    zipped: &'static [u8],
    tag: &'static str,
}

static ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The folder of the page's files in its URLs.
const FOLDER: &str = "assets/";

/// Answers a request for a file; the empty path is the page itself.
pub fn answer(path: &str, headers: &HeaderMap) -> Response {
    let path = match path {
        "" => "index.html",
        path => path.strip_prefix(FOLDER).unwrap_or(path),
    };
    let Some(asset) = ASSETS.iter().find(|asset| asset.path == path) else {
        return (StatusCode::NOT_FOUND, "no such page\n").into_response();
    };
    let tag = format!("\"{}\"", asset.tag);
    let zips = accepts_gzip(headers) && asset.zipped.len() < asset.plain.len();
    let mut answer = if is_known(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else if zips {
        ([(CONTENT_ENCODING, "gzip")], asset.zipped).into_response()
    } else {
        asset.plain.into_response()
    };
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type(path)));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(caching(path)));
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    answer
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT_ENCODING);
    values
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|v| {
            v.split(',').map(str::trim).any(|coding| {
                coding.split(';').next() == Some("gzip")
                    && !coding.contains("q=0.0")
                    && !coding.ends_with("q=0")
            })
        })
}

/// A file with a hash of its content in its name never changes; others are revalidated.
fn caching(path: &str) -> &'static str {
    if has_hash(path) {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    }
}

/// Returns whether a name is like `app-1f3c9a0b.js`.
fn has_hash(path: &str) -> bool {
    let Some((stem, _)) = path.rsplit_once('.') else {
        return false;
    };
    let Some((_, hash)) = stem.rsplit_once(['-', '.']) else {
        return false;
    };
    hash.len() >= 8
        && hash.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && hash.bytes().any(|byte| byte.is_ascii_digit())
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("mp3") => "audio/mpeg",
        Some("ogg") => "audio/ogg",
        Some("wav") => "audio/wav",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header::IF_NONE_MATCH;

    #[test]
    fn the_page_is_embedded_compressed_and_asked_for_again() {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("br, gzip"));
        let page = answer("", &headers);
        assert_eq!(page.status(), StatusCode::OK);
        assert_eq!(page.headers()[CONTENT_ENCODING], "gzip");
        assert_eq!(page.headers()[CACHE_CONTROL], "no-cache");
        let tag = page.headers()[ETAG].clone();
        headers.insert(IF_NONE_MATCH, tag);
        assert_eq!(answer("", &headers).status(), StatusCode::NOT_MODIFIED);
        let bare = answer("", &HeaderMap::new());
        assert!(bare.headers().get(CONTENT_ENCODING).is_none());
        for path in ["../Cargo.toml", "nothing.js", "/", "index.html/"] {
            let status = answer(path, &HeaderMap::new()).status();
            assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        }
    }

    #[test]
    fn whatever_the_page_names_is_served() {
        let page = ASSETS.iter().find(|asset| asset.path == "index.html");
        let text = String::from_utf8_lossy(page.expect("a page").plain);
        let endings = [".js", ".css", ".svg", ".png", ".webmanifest"];
        let mut named: Vec<&str> = text.split('"').collect();
        named.retain(|word| endings.iter().any(|ending| word.ends_with(ending)));
        for ending in endings {
            assert!(named.iter().any(|name| name.ends_with(ending)), "{named:?}");
        }
        // A page that is served from a folder finds its files beside it.
        assert!(named.iter().all(|name| !name.starts_with('/')), "{named:?}");
        for name in named {
            let status = answer(name, &HeaderMap::new()).status();
            assert_eq!(status, StatusCode::OK, "{name}");
        }
    }

    #[test]
    fn the_manifest_names_files_that_are_served() {
        let manifest = answer("manifest.webmanifest", &HeaderMap::new());
        assert_eq!(
            manifest.headers()[CONTENT_TYPE],
            "application/manifest+json"
        );
        let manifest = ASSETS
            .iter()
            .find(|asset| asset.path == "manifest.webmanifest");
        let text = String::from_utf8_lossy(manifest.expect("a manifest").plain);
        let icons = text.split('"').filter(|word| word.starts_with("assets/"));
        assert_eq!(icons.clone().count(), 4);
        for icon in icons {
            let status = answer(icon, &HeaderMap::new()).status();
            assert_eq!(status, StatusCode::OK, "{icon}");
        }
    }

    #[test]
    fn only_names_with_a_hash_are_kept_for_ever() {
        assert!(has_hash("assets/app-1f3c9a0b.js"));
        assert!(!has_hash("assets/app.js"));
        assert!(!has_hash("index.html"));
        assert!(!has_hash("assets/traditional-chinese.json"));
    }
}
