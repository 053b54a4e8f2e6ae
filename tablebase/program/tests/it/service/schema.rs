//! The description of the service, and whether answers are as it says.

use serde_json::Value;

/// The description.
pub fn described() -> Value {
    serde_json::from_str(include_str!("../../../src/serve/openapi.json")).unwrap()
}

/// Checks a value against a schema with this name; knows the words that the description uses.
pub fn check(value: &Value, name: &str) {
    let all = described();
    let schema = &all["components"]["schemas"][name];
    assert!(schema.is_object(), "{name}");
    if let Err(what) = fits(value, schema, &all) {
        panic!("{what} is not as {name} says");
    }
}

fn fits(value: &Value, schema: &Value, all: &Value) -> Result<(), String> {
    let bad = |what: &str| Err(format!("{value} ({what})"));
    for (word, rule) in schema.as_object().unwrap() {
        match word.as_str() {
            "$ref" => fits(
                value,
                all.pointer(&rule.as_str().unwrap()[1..]).unwrap(),
                all,
            )?,
            "anyOf" => {
                let mut any = rule.as_array().unwrap().iter();
                if !any.any(|one| fits(value, one, all).is_ok()) {
                    return bad("none of several");
                }
            }
            "enum" if !rule.as_array().unwrap().contains(value) => return bad("none of a list"),
            "type" => {
                let types = rule
                    .as_array()
                    .cloned()
                    .unwrap_or_else(|| vec![rule.clone()]);
                if !types.iter().any(|one| one == type_of(value)) {
                    return bad("type");
                }
            }
            "required" => {
                let mut keys = rule.as_array().unwrap().iter();
                if !keys.all(|key| value.get(key.as_str().unwrap()).is_some()) {
                    return bad("a key is missing");
                }
            }
            "properties" => {
                for (key, one) in value.as_object().unwrap() {
                    match rule.get(key) {
                        Some(rule) => fits(one, rule, all)?,
                        None => return bad("a key too many"),
                    }
                }
            }
            "items" => {
                for one in value.as_array().unwrap() {
                    fits(one, rule, all)?;
                }
            }
            "enum"
            | "description"
            | "examples"
            | "pattern"
            | "minimum"
            | "maxItems"
            | "additionalProperties" => {}
            other => panic!("the description says {other}, which is not checked"),
        }
    }
    Ok(())
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
