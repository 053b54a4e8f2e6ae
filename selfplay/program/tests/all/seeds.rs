//! The seed of a match if none is given: the default among built-in players; drawn at random,
//! printed and saved if an outside program plays, which could compute the deals from it.

use crate::common::{mock, printed, refused, run, text};
use serde_json::Value;

/// Plays a match without a seed and returns its JSON and its standard error.
fn play(a: &str, b: &str, more: &[&str]) -> (Value, String) {
    let game = ["--a", a, "--b", b, "--games", "4", "--nodes", "50"];
    let output = run(&[&game[..], &["--json"], more].concat());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let document = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{told}"));
    (document, told)
}

fn seed(document: &Value) -> u64 {
    document["seed"].as_u64().expect("a number")
}

#[test]
fn built_in_players_play_the_same_games_by_default() {
    let (document, told) = play("greedy", "random", &[]);
    assert_eq!(seed(&document), 1);
    assert!(!told.contains("by chance"), "{told}");
    assert_eq!(document, play("greedy", "random", &["--seed", "1"]).0);
}

#[test]
fn an_outside_program_cannot_guess_the_seed_which_is_told_and_deals_the_same_again() {
    let mock = mock("polite");
    for (a, b) in [(mock.as_str(), "greedy"), ("greedy", mock.as_str())] {
        let (first, told) = play(a, b, &[]);
        let (second, _) = play(a, b, &[]);
        let seed = seed(&first);
        assert!(seed > 1 << 32, "{seed}");
        assert_ne!(seed, second["seed"].as_u64().expect("a number"));
        let told_seed = format!("--seed {seed} ");
        assert!(told.contains(&told_seed), "{told}");
        assert_eq!(first, play(a, b, &["--seed", &seed.to_string()]).0);
    }
}

#[test]
fn a_match_in_a_folder_keeps_its_seed() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("match");
    let out = ["--out", text(&out)];
    let mock = mock("polite");
    let (first, _) = play(&mock, "greedy", &out);
    let more = [&out[..], &["--games", "6"]].concat();
    let game = ["--a", &mock, "--b", "greedy", "--nodes", "50", "--json"];
    let longer: Value = serde_json::from_str(&printed(&[&game[..], &more].concat())).expect("JSON");
    assert_eq!(seed(&longer), seed(&first));
    assert_eq!(longer["games"], 6);
}

#[test]
fn shards_against_an_outside_program_need_a_seed() {
    let mock = mock("polite");
    let game = ["--a", &mock, "--b", "greedy", "--games", "4"];
    let shard = [&game[..], &["--shard", "1/2"]].concat();
    refused(&run(&shard), &["--shard needs --seed"]);
    assert!(
        run(&[&shard[..], &["--seed", "7"]].concat())
            .status
            .success()
    );
}

#[test]
fn all_encounters_of_a_tournament_have_one_seed() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("tournament");
    let event = folder.path().join("event.toml");
    let engines = format!(
        "games = 2\n[limits]\nnodes = 50\n[[engine]]\nplayer = 'greedy'\n\
         [[engine]]\nplayer = 'random'\n[[engine]]\nname = 'mock'\nplayer = \"{}\"\n",
        mock("polite")
    );
    std::fs::write(&event, engines).expect("writable");
    let arguments = ["tournament", "--event", text(&event), "--out", text(&out)];
    let table = printed(&arguments);
    let seeds = ["01-02", "01-03", "02-03"].map(|encounter| {
        let meta = std::fs::read_to_string(out.join(encounter).join("meta.json")).expect("meta");
        let meta: Value = serde_json::from_str(&meta).expect("JSON");
        meta["identity"]["seed"].as_u64().expect("a number")
    });
    assert!(seeds[0] > 1 << 32 && seeds == [seeds[0]; 3], "{seeds:?}");
    // A resumed tournament is the same.
    assert_eq!(table, printed(&arguments));
}
