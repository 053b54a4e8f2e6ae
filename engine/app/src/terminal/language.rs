//! The language of the sentences, and the catalogues that hold them.
//!
//! Every sentence stands in `engine/app/words`, one file for each language; a blank such as `{name}` is
//! filled in here. A test compares the catalogues with each other and with the code.

use std::collections::HashMap;
use std::fmt::Display;
use std::str::FromStr;
use std::sync::LazyLock;

/// A language of the game at the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// 繁體中文.
    Traditional,
    /// 简体中文.
    Simplified,
}

/// The name is of no language.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a language of the game (expected en, zh-Hant or zh-Hans)")]
pub struct UnknownLanguage(String);

type Catalogue = HashMap<String, String>;

static CATALOGUES: LazyLock<[Catalogue; 3]> = LazyLock::new(|| {
    [
        include_str!("../../words/en.json"),
        include_str!("../../words/zh-Hant.json"),
        include_str!("../../words/zh-Hans.json"),
    ]
    .map(|text| serde_json::from_str(text).expect("a test reads every catalogue"))
});

impl Language {
    /// All languages.
    pub const ALL: [Language; 3] = [
        Language::English,
        Language::Traditional,
        Language::Simplified,
    ];

    /// Returns the language of a locale such as `zh_TW.UTF-8`; English if the locale does not say
    /// that the terminal shows every character.
    pub fn of_locale(locale: &str) -> Language {
        let locale = locale.to_ascii_lowercase();
        let Some((name, encoding)) = locale.split_once('.') else {
            return Language::English;
        };
        if !encoding.starts_with("utf-8") && !encoding.starts_with("utf8") {
            return Language::English;
        }
        match name {
            "zh_tw" | "zh_hk" | "zh_mo" => Language::Traditional,
            name if name == "zh" || name.starts_with("zh_") => Language::Simplified,
            _ => Language::English,
        }
    }

    /// Returns a message with its blanks filled in; `say!` writes it shorter.
    pub fn message(self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        let known = CATALOGUES[self as usize].get(key);
        let message = known.map_or(key, String::as_str);
        values
            .iter()
            .fold(message.to_owned(), |text, (name, value)| {
                text.replace(&format!("{{{name}}}"), &value.to_string())
            })
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(text: &str) -> Result<Language, UnknownLanguage> {
        match text.to_ascii_lowercase().as_str() {
            "en" => Ok(Language::English),
            "zh-hant" => Ok(Language::Traditional),
            "zh-hans" => Ok(Language::Simplified),
            _ => Err(UnknownLanguage(text.to_owned())),
        }
    }
}

/// Returns a message in a language: `say!(language, "undone", plies = 3)`.
macro_rules! say {
    ($language:expr, $key:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $language.message($key, &[$((stringify!($name), &$value as &dyn std::fmt::Display)),*])
    };
}
pub(crate) use say;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    /// The blanks of a message, each once.
    fn blanks(message: &str) -> BTreeSet<&str> {
        let parts = message.split('{').skip(1);
        parts
            .filter_map(|part| Some(part.split_once('}')?.0))
            .collect()
    }

    /// What is wrong with a catalogue beside the English one.
    fn faults(catalogue: &Catalogue) -> Vec<String> {
        let english = &CATALOGUES[Language::English as usize];
        let mut faults: Vec<String> = Vec::new();
        for (key, message) in english {
            match catalogue.get(key) {
                None => faults.push(format!("{key} is missing")),
                Some(said) if said.trim().is_empty() => faults.push(format!("{key} is empty")),
                Some(said) if blanks(said) != blanks(message) => faults.push(format!(
                    "{key} has the blanks {:?} (expected {:?})",
                    blanks(said),
                    blanks(message)
                )),
                Some(_) => {}
            }
        }
        let unknown = catalogue.keys().filter(|key| !english.contains_key(*key));
        faults.extend(unknown.map(|key| format!("{key} is not in English")));
        faults
    }

    #[test]
    fn every_language_says_what_english_says_with_the_same_blanks() {
        for language in Language::ALL {
            let none: [String; 0] = [];
            assert_eq!(faults(&CATALOGUES[language as usize]), none, "{language:?}");
        }
    }

    #[test]
    fn a_missing_an_unknown_and_an_empty_message_and_another_blank_are_noticed() {
        let good = &CATALOGUES[Language::Traditional as usize];
        let with = |key: &str, message: &str| {
            let mut catalogue = good.clone();
            catalogue.insert(key.to_owned(), message.to_owned());
            faults(&catalogue).join("; ")
        };
        let mut missing = good.clone();
        missing.remove("undone");
        assert_eq!(faults(&missing), ["undone is missing"]);
        assert_eq!(with("undoon", "悔棋"), "undoon is not in English");
        assert_eq!(with("undone", " "), "undone is empty");
        assert!(with("undone", "{plys}").starts_with("undone has the blanks"));
    }

    #[test]
    fn the_code_uses_every_message_and_no_other() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut code = fs::read_to_string(source.join("cli/play.rs")).unwrap();
        for entry in fs::read_dir(source.join("terminal")).unwrap() {
            code += &fs::read_to_string(entry.unwrap().path()).unwrap();
        }
        let english = &CATALOGUES[Language::English as usize];
        let composed = ["piece.", "rank."];
        for key in english.keys() {
            let is_composed = composed.iter().any(|start| key.starts_with(start));
            assert!(
                is_composed || code.contains(&format!("\"{key}\"")),
                "{key} is not used"
            );
        }
        let flat: String = code.split_whitespace().collect::<Vec<_>>().join(" ");
        for call in flat.split("say!(").skip(1) {
            let Some((_, rest)) = call
                .split_once(", \"")
                .filter(|(before, _)| before.len() < 40)
            else {
                continue;
            };
            let key = rest.split('"').next().unwrap();
            assert!(english.contains_key(key), "{key} is no message");
        }
    }

    #[test]
    fn locales_and_names_lead_to_languages() {
        for (locale, language) in [
            ("zh_TW.UTF-8", Language::Traditional),
            ("zh_HK.utf8", Language::Traditional),
            ("zh_CN.UTF-8", Language::Simplified),
            ("zh_TW", Language::English),
            ("zh_TW.BIG5", Language::English),
            ("de_DE.UTF-8", Language::English),
            ("C", Language::English),
            ("", Language::English),
        ] {
            assert_eq!(Language::of_locale(locale), language, "{locale}");
        }
        assert_eq!("zh-Hant".parse(), Ok(Language::Traditional));
        let error = "tlh".parse::<Language>().unwrap_err();
        assert!(error.to_string().contains("`tlh` is not a language"));
    }
}
