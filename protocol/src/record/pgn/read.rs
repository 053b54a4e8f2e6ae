//! Reading: tolerant of layout, strict about the game.

use super::error::{PgnError, PgnFault};
use super::header::{Header, RawTag};
use super::movetext::Movetext;
use super::scan::{Tail, Token};
use super::{GameResult, PgnGame};
use anqi_rules::Rules;

/// Reads all games of a file; `rules` are those of games that name none.
///
/// # Errors
///
/// Returns the first fault with its line and column. A text without a game is a fault.
pub fn read(text: &[u8], rules: Rules) -> Result<Vec<PgnGame>, PgnError> {
    let text = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => {
            let (good, bad) = text.split_at(error.valid_up_to());
            let good = String::from_utf8_lossy(good);
            let fault = PgnFault::NotUtf8(bad.first().copied().unwrap_or_default());
            return Err(PgnError::at(&good, good.len(), fault));
        }
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut tail = Tail { text, at: 0 };
    let mut games = Vec::new();
    while tail.peek()?.is_some() {
        games.push(game(&mut tail, rules)?);
    }
    if games.is_empty() {
        return Err(tail.error(PgnFault::NoGame));
    }
    Ok(games)
}

/// Reads a game, up to its result, the tags of the next game or the end of the text.
fn game(tail: &mut Tail<'_>, rules: Rules) -> Result<PgnGame, PgnError> {
    let header = Header::of(tags(tail)?, tail.text)?;
    let mut movetext = Movetext::new(&header, rules, tail.text);
    let mut told = None;
    while let Some((place, token)) = tail.peek()? {
        if matches!(token, Token::Tag(..)) {
            break;
        }
        tail.token()?;
        if let Token::Word(word) = token
            && let Some(result) = GameResult::read(word)
        {
            movetext.require_closed()?;
            told = Some((place, result));
            break;
        }
        movetext.token(place, token)?;
    }
    movetext.require_closed()?;
    if told.is_some() {
        closing_comments(tail, &mut movetext)?;
    }
    let result = result(&header, told, tail.text)?;
    let (annotation, plies) = movetext.finish();
    Ok(PgnGame {
        tags: header.tags,
        rules: header.rules,
        start: header.start,
        result,
        termination: header.termination,
        deal: header.deal,
        annotation,
        plies,
    })
}

fn tags(tail: &mut Tail<'_>) -> Result<Vec<RawTag>, PgnError> {
    let mut tags = Vec::new();
    while let Some((place, Token::Tag(name, value))) = tail.peek()? {
        tail.token()?;
        tags.push(RawTag { place, name, value });
    }
    Ok(tags)
}

/// Comments after the result belong to the last ply.
fn closing_comments(tail: &mut Tail<'_>, movetext: &mut Movetext<'_>) -> Result<(), PgnError> {
    while let Some((_, Token::Comment(comment))) = tail.peek()? {
        tail.token()?;
        movetext.comment(&comment);
    }
    Ok(())
}

/// Returns the result of tag and movetext, of which one may say nothing.
fn result(
    header: &Header,
    told: Option<(usize, GameResult)>,
    text: &str,
) -> Result<GameResult, PgnError> {
    let tag = header.result.unwrap_or(GameResult::Unfinished);
    let Some((place, told)) = told else {
        return Ok(tag);
    };
    match (tag, told) {
        (GameResult::Unfinished, told) => Ok(told),
        (tag, GameResult::Unfinished) => Ok(tag),
        (tag, told) if tag == told => Ok(told),
        (tag, told) => {
            let (found, expected) = (told.text(), tag.text());
            let fault = PgnFault::Result { found, expected };
            Err(PgnError::at(text, place, fault))
        }
    }
}
