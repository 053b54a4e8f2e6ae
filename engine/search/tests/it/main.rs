//! The playing search from outside: against a slow twin, plain expectimax and the rules.

mod endings;
mod ends;
mod exactness;
mod outcomes;
mod playing;
mod positions;
mod reference;
mod root;
mod searches;
mod twin;
