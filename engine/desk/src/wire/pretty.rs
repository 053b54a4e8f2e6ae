//! Lays out declarations of TypeScript as people write them: a key a line, short comments on one.

/// The longest object that stays on one line.
const SHORT: usize = 80;

/// Lays out a declaration.
pub(super) fn pretty(declaration: &str) -> String {
    let mut out = String::new();
    write(declaration, 0, &mut out);
    let lines = out.lines().map(str::trim_end);
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// Returns the end of the comment that begins here, if one does.
fn comment_end(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("/*")?;
    Some(inner.find("*/").map_or(text.len(), |end| end + 4))
}

/// Returns the end of the object that begins here.
fn object_end(text: &str) -> usize {
    let (mut depth, mut index) = (0, 0);
    while let Some(sign) = text[index..].chars().next() {
        if let Some(end) = comment_end(&text[index..]) {
            index += end;
            continue;
        }
        index += sign.len_utf8();
        match sign {
            '{' => depth += 1,
            '}' if depth == 1 => return index,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Splits a text at a sign outside brackets and comments.
fn split(text: &str, at: char) -> Vec<&str> {
    let (mut parts, mut depth, mut begin, mut index) = (Vec::new(), 0, 0, 0);
    while let Some(sign) = text[index..].chars().next() {
        if let Some(end) = comment_end(&text[index..]) {
            index += end;
            continue;
        }
        match sign {
            '{' | '[' | '<' | '(' => depth += 1,
            '}' | ']' | '>' | ')' => depth -= 1,
            sign if sign == at && depth == 0 => {
                parts.push(&text[begin..index]);
                begin = index + sign.len_utf8();
            }
            _ => {}
        }
        index += sign.len_utf8();
    }
    parts.push(&text[begin..]);
    parts
}

fn write(text: &str, indent: usize, out: &mut String) {
    let (before, rest) = match text.find('{') {
        Some(open) if !text.trim_start().starts_with("/*") => text.split_at(open),
        _ => return write_plain(text, indent, out),
    };
    let alternatives = split(rest, '|');
    if alternatives.len() > 1 && rest.len() > SHORT {
        out.push_str(before.trim_end());
        let inner = indent + 2;
        for alternative in alternatives {
            out.push_str(&format!("\n{:inner$}| ", ""));
            write(alternative.trim(), inner, out);
        }
        return;
    }
    let (object, after) = rest.split_at(object_end(rest));
    out.push_str(before);
    write_object(&object[1..object.len() - 1], indent, out);
    write(after, indent, out);
}

/// Writes what is in braces.
fn write_object(inner: &str, indent: usize, out: &mut String) {
    let keys = split(inner, ',').into_iter().map(str::trim);
    let keys: Vec<&str> = keys.filter(|key| !key.is_empty()).collect();
    if inner.len() <= SHORT && !inner.contains("/*") {
        out.push_str(&format!("{{ {} }}", keys.join("; ")));
        return;
    }
    let deeper = indent + 2;
    out.push_str("{\n");
    for key in keys {
        let comment = comment_end(key).unwrap_or(0);
        write_plain(&key[..comment], deeper, out);
        out.push_str(&format!("{:deeper$}", ""));
        write(key[comment..].trim(), deeper, out);
        out.push_str(";\n");
    }
    out.push_str(&format!("{:indent$}}}", ""));
}

/// Writes text without objects; a comment of one line becomes short.
fn write_plain(text: &str, indent: usize, out: &mut String) {
    let Some(end) = comment_end(text) else {
        out.push_str(text);
        return;
    };
    let lines = text[..end].lines().map(str::trim);
    let lines: Vec<&str> = lines
        .filter(|line| *line != "/**" && *line != "*/")
        .collect();
    match lines[..] {
        [line] => {
            let words = line.trim_start_matches('*').trim();
            out.push_str(&format!("{:indent$}/** {words} */\n", ""));
        }
        _ => {
            out.push_str(&format!("{:indent$}/**\n", ""));
            for line in lines {
                out.push_str(&format!("{:indent$} {line}\n", ""));
            }
            out.push_str(&format!("{:indent$} */\n", ""));
        }
    }
    write(text[end..].trim_start(), indent, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_on_lines_of_their_own_and_alternatives_too() {
        let text = "/**\n * A seat, { or not }.\n */\nexport type A = { \n/**\n * One.\n */\na: B<C, D>, \nb?: string, };";
        assert_eq!(
            pretty(text),
            "/** A seat, { or not }. */\nexport type A = {\n  /** One. */\n  a: B<C, D>;\n  b?: string;\n};\n"
        );
        let text = "export type K = \"a\" | \"b\";";
        assert_eq!(pretty(text), format!("{text}\n"));
        let text = "export type M = { \"type\": \"create\" } & Create | { \"type\": \"enter\", \n/**\n * It.\n */\ntoken: string, } | { \"type\": \"leave\", };";
        assert_eq!(
            pretty(text),
            "export type M =\n  | { \"type\": \"create\" } & Create\n  | {\n    \"type\": \"enter\";\n    /** It. */\n    token: string;\n  }\n  | { \"type\": \"leave\" };\n"
        );
    }
}
