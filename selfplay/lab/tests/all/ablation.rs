//! `lab ablation`: each technique of the champion against the whole.

use crate::common::{printed, refused};

#[test]
fn the_ablation_compares_every_technique_with_the_whole() {
    let signature = |json: &serde_json::Value| json["nodes"].as_u64().expect("a count");
    let command = ["ablation", "--depth", "2"];
    let json = printed(&[&command[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).expect("one object");
    let rows = json["rows"].as_array().expect("a list");
    let whole = &rows[0];
    assert_eq!(whole["setting"], "");
    for row in rows {
        let parts = row["positions"].as_array().expect("a list");
        let sum: u64 = parts.iter().map(signature).sum();
        assert_eq!(sum, signature(row));
        let ratio = sum as f64 / signature(whole) as f64;
        let told = row["nodes_of_sum"].as_f64().expect("a number");
        assert!((told - ratio).abs() < 1e-9, "{row}");
    }
    let text = printed(&command);
    for row in rows {
        let setting = row["setting"].as_str().expect("text");
        let what = row["what"].as_str().expect("text");
        let line = text.lines().find(|line| line.starts_with(what));
        let line = line.unwrap_or_else(|| panic!("{what} is not in {text}"));
        assert!(line.contains(setting), "{line}");
        // Node counts with two threads vary.
        let nodes = format!(" {} ", row["nodes"]);
        let known = line.contains(&nodes) || line.contains(&nodes.replacen(' ', " >", 1));
        assert!(known || setting == "threads=2", "{line}: {nodes}");
    }
    refused(&["ablation", "--player", "greedy"], &["--player"]);
    refused(&["ablation", "--patience", "1"], &["--patience"]);
}
