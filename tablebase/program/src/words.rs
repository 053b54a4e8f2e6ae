//! Values as the commands print them.

use anqi_tablebase::solve::Wdl;

/// Returns the word for a value.
pub fn word(wdl: Wdl) -> &'static str {
    match wdl {
        Wdl::Win => "win",
        Wdl::Draw => "draw",
        Wdl::Loss => "loss",
    }
}
