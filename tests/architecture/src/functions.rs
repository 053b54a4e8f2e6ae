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

/// Returns the functions at the top of a formatted TypeScript file: each ends where a line begins
/// with its closing brace.
pub fn script_functions(text: &str) -> Vec<Function> {
    let lines: Vec<&str> = text.lines().collect();
    let function = |(at, line): (usize, &&str)| {
        let name = script_function(line)?;
        // A line such as `}: Props) {` closes parameters, not the body.
        let ends = |line: &&str| line.starts_with('}') && !line.ends_with('{');
        let body = lines[at..].iter().position(ends)?;
        Some(Function {
            name,
            lines: body + 1,
        })
    };
    lines.iter().enumerate().filter_map(function).collect()
}

/// Returns the name of the function that a line of TypeScript declares.
fn script_function(line: &str) -> Option<String> {
    let rest = line.strip_prefix("export ").unwrap_or(line);
    let rest = rest.strip_prefix("default ").unwrap_or(rest);
    let rest = rest.strip_prefix("async ").unwrap_or(rest);
    let rest = match rest.strip_prefix("const ") {
        Some(constant) if line.contains("=> {") => constant,
        _ => rest.strip_prefix("function ")?,
    };
    let name = rest
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_');
    Some(name.collect())
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

    #[test]
    fn functions_of_scripts_are_measured() {
        let text = "const A = 1;\nexport async function b(\n  x: number,\n) {\n  if (x) {\n  }\n}\n\
                    const c = (x: number) => {\n  x;\n};\nfunction d({\n  e,\n}: E) {\n  e;\n}\n";
        let found = script_functions(text);
        let names: Vec<(&str, usize)> = found.iter().map(|f| (&f.name[..], f.lines)).collect();
        assert_eq!(names, [("b", 6), ("c", 3), ("d", 5)]);
    }
}
