//! Where functions begin and end.

use crate::source::item_end;

/// A function's name and its lines from `fn` to the closing brace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name, without its type.
    pub name: String,
    /// How many lines it has.
    pub lines: usize,
}

/// Returns the functions of masked code that have a body.
pub fn functions(code: &str) -> Vec<Function> {
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let in_word = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        let name: String = code[at + 3..]
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        let item = &code[at..item_end(code, at)];
        if !in_word && !name.is_empty() && item.ends_with('}') {
            let lines = item.lines().count();
            found.push(Function { name, lines });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_measured_and_declarations_are_not() {
        let code = "trait T { fn a(&self) -> [u8; 2]; }\nfn b(f: fn (u8)) {\n  if x { y }\n}\nconst fn c() {}";
        let found = functions(code);
        let lines = |name: &str, lines| Function {
            name: name.to_owned(),
            lines,
        };
        assert_eq!(found, [lines("b", 3), lines("c", 1)]);
    }
}
