//! The meaning of a game's tags.

use super::error::{PgnError, PgnFault};
use super::tags::{Tags, printable, spelled};
use super::{DealProof, GameResult, Termination};
use anqi_rules::notation::excerpt;
use anqi_rules::{Color, Position, Rules};

/// The value of the tag `Variant`.
pub(super) const VARIANT: &str = "Banqi";
/// Other names of the game.
const NAMES: [&str; 4] = ["banqi", "chinese dark chess", "dark chinese chess", "暗棋"];

/// A tag as it stands in the text.
pub(super) struct RawTag {
    pub place: usize,
    pub name: String,
    pub value: String,
}

/// What the tags of a game say.
pub(super) struct Header {
    pub tags: Tags,
    pub rules: Option<Rules>,
    pub start: Position,
    pub result: Option<GameResult>,
    pub termination: Option<Termination>,
    pub deal: Option<DealProof>,
    /// The colour of the first player, and where the tag stands.
    pub first: Option<(Color, usize)>,
}

/// Tags whose meaning is looked up, in the spelling of the writer.
struct Found<'a> {
    tags: Vec<(String, RawTag)>,
    text: &'a str,
}

impl Header {
    /// Looks the meaning of tags up.
    pub(super) fn of(raw: Vec<RawTag>, text: &str) -> Result<Header, PgnError> {
        let mut tags = Tags::default();
        let mut found = Found {
            tags: Vec::new(),
            text,
        };
        for tag in raw {
            let name = spelled(&tag.name);
            if found.tags.iter().any(|(known, _)| *known == name) {
                return Err(PgnError::at(text, tag.place, PgnFault::TagTwice(name)));
            }
            tags.set(&name, &tag.value);
            found.tags.push((name, tag));
        }
        found.check_variant()?;
        let start = found.start()?;
        Ok(Header {
            rules: found.rules()?,
            result: found.result()?,
            termination: found.get("Termination").and_then(Termination::read),
            deal: found.deal(),
            first: found.first(&tags, &start)?,
            start,
            tags,
        })
    }
}

impl Found<'_> {
    fn tag(&self, name: &str) -> Option<&RawTag> {
        let found = self.tags.iter().find(|(known, _)| known == name);
        // Nothing and a question mark say that the value is unknown.
        found
            .map(|(_, tag)| tag)
            .filter(|tag| !matches!(tag.value.trim(), "" | "?"))
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.tag(name).map(|tag| tag.value.trim())
    }

    fn wrong(&self, tag: &RawTag, name: &'static str, expected: impl Into<String>) -> PgnError {
        let fault = PgnFault::TagValue {
            name,
            found: excerpt(&tag.value),
            expected: expected.into(),
        };
        PgnError::at(self.text, tag.place, fault)
    }

    fn check_variant(&self) -> Result<(), PgnError> {
        let Some(tag) = self.tag("Variant") else {
            return Ok(());
        };
        let value = tag.value.trim().to_ascii_lowercase();
        if NAMES.contains(&value.as_str()) {
            Ok(())
        } else {
            Err(self.wrong(tag, "Variant", VARIANT))
        }
    }

    fn rules(&self) -> Result<Option<Rules>, PgnError> {
        let Some(tag) = self.tag("Rules") else {
            return Ok(None);
        };
        let found = Rules::preset(&tag.value.trim().to_ascii_lowercase());
        found.map(Some).ok_or_else(|| {
            let names = Rules::PRESETS.map(|(name, _)| name).join(", ");
            self.wrong(tag, "Rules", format!("one of {names}"))
        })
    }

    fn result(&self) -> Result<Option<GameResult>, PgnError> {
        let Some(tag) = self.tag("Result") else {
            return Ok(None);
        };
        let found = GameResult::read(tag.value.trim());
        let expected = "1-0, 0-1, 1/2-1/2 or *";
        found
            .map(Some)
            .ok_or_else(|| self.wrong(tag, "Result", expected))
    }

    fn start(&self) -> Result<Position, PgnError> {
        if let Some(tag) = self.tag("FEN") {
            let read = tag.value.trim().parse::<Position>();
            let wrong = |error| self.wrong(tag, "FEN", format!("a position: {error}"));
            return read.map_err(wrong);
        }
        match self.tag("Setup") {
            Some(tag) if tag.value.trim() != "0" => {
                let expected = "0, or 1 and a tag FEN with the position";
                Err(self.wrong(tag, "Setup", expected))
            }
            _ => Ok(Position::start()),
        }
    }

    fn deal(&self) -> Option<DealProof> {
        let one_line = |value: &str| printable(value).trim().to_owned();
        let commitment = self.get("DealCommitment").map(one_line)?;
        let deal = self.get("Deal").map(one_line);
        Some(DealProof { commitment, deal })
    }

    /// Returns the first player's colour by the tag `Red`: `First`, `Second`, or the name of a player.
    fn first(&self, tags: &Tags, start: &Position) -> Result<Option<(Color, usize)>, PgnError> {
        let Some(tag) = self.tag("Red") else {
            return Ok(None);
        };
        let value = tag.value.trim();
        let seats = [("First", Color::Red), ("Second", Color::Black)];
        let [first, second] = seats.map(|(seat, color)| {
            let named = tags.get(seat).is_some_and(|name| name.trim() == value);
            (value.eq_ignore_ascii_case(seat), named, color)
        });
        let color = match (first, second) {
            ((true, ..), _) => first.2,
            (_, (true, ..)) => second.2,
            ((_, true, _), (_, false, _)) => first.2,
            ((_, false, _), (_, true, _)) => second.2,
            _ => return Err(self.wrong(tag, "Red", "First or Second")),
        };
        match start.turn() {
            Some(turn) if turn != color => {
                let expected = "the player whose colour is red in the position";
                Err(self.wrong(tag, "Red", expected))
            }
            _ => Ok(Some((color, tag.place))),
        }
    }
}
