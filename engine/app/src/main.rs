//! (opening)
fn main() {}
