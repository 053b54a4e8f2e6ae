//! Settings from a file: `champion:options=FILE`.
//!
//! The file has one setting per line, `name = value`; `#` begins a comment. Its settings
//! replace the word `options=FILE`, so that later settings of the spec override them. A
//! player prints the settings themselves, never the file.

use crate::spec::{Spec, SpecError, Word};
use anqi_rules::notation::excerpt;

/// The setting that names a file.
pub(crate) const KEY: &str = "options";

/// Replaces the files that a spec names by their settings.
///
/// # Errors
///
/// Returns an error if a file cannot be read or one of its lines is wrong.
pub(crate) fn expanded(spec: Spec) -> Result<Spec, SpecError> {
    let mut settings = Vec::new();
    for word in spec.settings() {
        if word.key == KEY {
            settings.extend(words_of(&word.value)?);
        } else {
            settings.push(word.clone());
        }
    }
    Ok(spec.with_settings(settings))
}

fn words_of(file: &str) -> Result<Vec<Word>, SpecError> {
    let refuse = |reason| SpecError::BadFile {
        key: KEY.to_owned(),
        file: file.to_owned(),
        reason,
    };
    parse(&read_text(file).map_err(refuse)?).map_err(refuse)
}

fn parse(text: &str) -> Result<Vec<Word>, String> {
    let mut words = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let said = line.split('#').next().unwrap_or_default().trim();
        if said.is_empty() {
            continue;
        }
        let fault = |what: &str| format!("line {}: '{}' {what}", index + 1, excerpt(said));
        let (key, value) = said
            .split_once('=')
            .ok_or_else(|| fault("is not a setting (expected name = value)"))?;
        let [key, value] = [key, value].map(|word| word.trim().to_owned());
        if key == KEY {
            return Err(fault("names another file (expected a setting)"));
        }
        words.push(Word { key, value });
    }
    Ok(words)
}

/// A file of settings has a few hundred bytes; a far larger one is something else.
#[cfg(feature = "os")]
const MOST_BYTES: u64 = 1 << 16;

#[cfg(feature = "os")]
fn read_text(file: &str) -> Result<String, String> {
    anqi_files::read_text_limited(file.as_ref(), MOST_BYTES).map_err(|error| error.to_string())
}

#[cfg(not(feature = "os"))]
fn read_text(_: &str) -> Result<String, String> {
    Err("this build reads no files".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::by_spec;

    fn words(text: &str) -> Result<Vec<(String, String)>, String> {
        let words = parse(text)?;
        Ok(words.into_iter().map(|w| (w.key, w.value)).collect())
    }

    #[test]
    fn lines_are_settings_and_remarks_are_not() {
        let text = "# tuned\n\n k = 5 # kinds\neval=dynamic\n";
        let expected = [("k", "5"), ("eval", "dynamic")];
        let expected = expected.map(|(key, value)| (key.to_owned(), value.to_owned()));
        assert_eq!(words(text), Ok(expected.to_vec()));
        assert_eq!(
            words("k = 5\nsoon").unwrap_err(),
            "line 2: 'soon' is not a setting (expected name = value)"
        );
        assert!(words("options = more").is_err());
    }

    #[test]
    fn a_file_stands_where_it_is_named() {
        let file = std::env::temp_dir().join(format!("anqi-options-{}", std::process::id()));
        std::fs::write(&file, "k = 5\neval = dynamic\n").unwrap();
        let name = file.display();
        let spec = |text: String| by_spec(&text).map(|player| player.spec());
        let plain = spec(format!("var2:options={name}"));
        let before = spec(format!("var2:k=7,options={name}"));
        let after = spec(format!("var2:options={name},k=7"));
        let other = spec(format!("basic:options={name}"));
        std::fs::remove_file(&file).unwrap();
        let gone = spec(format!("var2:options={name}"));
        assert_eq!(plain.as_deref(), Ok("var2:k=5,eval=dynamic,depth=0"));
        assert_eq!(before, plain);
        assert_eq!(after.as_deref(), Ok("var2:k=7,eval=dynamic,depth=0"));
        assert!(matches!(other, Err(SpecError::UnknownSetting { .. })));
        assert!(matches!(gone, Err(SpecError::BadFile { .. })));
    }
}
