//! What the reports say about a small match whose results are known.

use anqi_match::adjudication::Adjudication;
use anqi_match::deal::DealKind;
use anqi_match::limits::Limits;
use anqi_match::openings::Openings;
use anqi_match::record::{GameRecord, PairRecord, Reason, Timing, Verdict};
use anqi_match::report::run::Run;
use anqi_match::report::{Detail, Report, html, json, table};
use anqi_match::sequential::Analysis;
use anqi_match::side::{BySide, Side};
use anqi_match::store::Identity;

fn identity() -> Identity {
    let names = |a: &str, b: &str| BySide {
        a: a.to_owned(),
        b: b.to_owned(),
    };
    Identity {
        program: "selfplay 0".to_owned(),
        players: names("one", "<two>"),
        names: names("one:depth=2", "<two>"),
        limits: BySide {
            a: Limits::DEFAULT,
            b: Limits::DEFAULT,
        },
        rules: "olympiad".to_owned(),
        openings: Openings::default(),
        deal: DealKind::Sequence,
        seed: 7,
        adjudication: Adjudication::default(),
    }
}

fn game(starter: Side, winner: Option<Side>, reason: Reason, plies: usize) -> GameRecord {
    GameRecord {
        opening: None,
        starter,
        starter_color: Some(anqi_rules::Color::Red),
        verdict: Verdict {
            winner,
            reason,
            detail: reason.is_fault().then(|| "it said & wrote".to_owned()),
        },
        nodes: BySide { a: 1000, b: 3000 },
        last_values: BySide {
            a: Some(6_000),
            b: None,
        },
        plies: vec!["a1-a2"; plies].join(" "),
    }
}

/// Winner, reason and length of a game.
type End = (Option<Side>, Reason, usize);

/// Four pairs: A wins both, draws both, loses one by a crash and draws one, wins one.
fn records() -> Vec<PairRecord> {
    use Reason::{Annihilation, Crash, NoLegalAction, QuietLimit};
    let pairs = [
        [
            (Some(Side::A), NoLegalAction, 40),
            (Some(Side::A), Annihilation, 60),
        ],
        [(None, QuietLimit, 200), (None, QuietLimit, 300)],
        [(Some(Side::B), Crash, 10), (None, QuietLimit, 250)],
        [
            (Some(Side::B), NoLegalAction, 80),
            (Some(Side::A), NoLegalAction, 100),
        ],
    ];
    let record = |(pair, games): (usize, &[End; 2])| PairRecord {
        pair: pair as u64,
        games: [
            game(Side::A, games[0].0, games[0].1, games[0].2),
            game(Side::B, games[1].0, games[1].1, games[1].2),
        ],
        timing: [Timing {
            thinking_us: BySide { a: 400, b: 500 },
            total_us: 1000,
        }; 2],
        luck: None,
    };
    pairs.iter().enumerate().map(record).collect()
}

#[test]
fn the_table_reads_like_this() {
    let (identity, records) = (identity(), records());
    let text = table::write(
        &Report::new(&identity, &records, &Analysis::default()),
        Detail::WithTimes,
    );
    let expected = "\
A one  against  B <two>
  A is one:depth=2
  8 games in 4 pairs, NODES nodes a move, rules olympiad, sequence deals, seed 7, selfplay 0

first player           win    draw    loss   RS(A)   RS(B)
A one                    1       1       2    0.75    1.25
B <two>                  0       2       2    1.50    0.50

advantage ratio   AR(A,B) = 2.250 ± 0.629    2 is equal, both views sum to 4; ± one standard error
                  AR(B,A) = 1.750 ± 0.629
Elo               A − B = 43.7 ± 259.2 (95 %), normalised 48.8 ± 240.8, superiority of A 65.4 %
pairs             LL 0, LD 1, DD or WL 2, WD 0, WW 1; correlation 0.302, variance 1.267 of independent games
seats             the first player scores 0.312 ± 0.120, red scores 0.312 ± 0.120 a game
games             130.0 plies on average, from 10 to 300
results           no legal action       3  (A wins 2, B wins 1)
                  annihilation          1  (A wins 1)
                  quiet limit           3  (draws 3)
                  crash                 1  (B wins 1)
                  3 drawn though A's last value was above +0.5
WARNING           1 games ended by a fault of a player
                  A: it said & wrote
thinking          A 15 nodes a move
                  B 46 nodes a move
times             A 0.01 ms a move, B 0.01 ms a move
                  the referee took 10.00 % of 0.0 s
";
    let nodes = anqi_match::limits::DEFAULT_NODES.to_string();
    assert_eq!(text, expected.replace("NODES", &nodes));
}

#[test]
fn the_json_has_the_keys_that_programs_look_for() {
    let (identity, records) = (identity(), records());
    let report = Report::new(&identity, &records, &Analysis::default());
    let document: serde_json::Value =
        serde_json::from_str(&json::write(&report, Detail::Reproducible)).expect("JSON");
    assert_eq!(document["games"], 8);
    assert_eq!(document["pairs"], 4);
    assert_eq!(document["drawn_ahead"]["a"], 3);
    assert_eq!(document["drawn_ahead"]["b"], 0);
    assert_eq!(document["advantage_ratio_a"], 2.25);
    assert_eq!(document["advantage_ratio_b"], 1.75);
    assert_eq!(document["by_starter"]["a"]["loss"], 2);
    assert_eq!(document["by_starter"]["b"]["draw"], 2);
    assert_eq!(document["reasons"]["crash"]["b_wins"], 1);
    // Half points of the pairs are 4, 2, 1, 2: variance 19/12, over four pairs.
    let error = document["standard_error"].as_f64().expect("a number");
    assert!(
        (error - (19.0_f64 / 12.0 / 4.0).sqrt()).abs() < 1e-12,
        "{error}"
    );
    assert!(document["elo"].is_f64() && document["elo_error"].is_f64());
    assert!(document.get("times").is_none(), "times only when asked for");
    assert!(json::write(&report, Detail::WithTimes).contains("\"ms_per_move\""));
}

#[test]
fn the_page_is_whole_and_loads_nothing() {
    let (identity, records) = (identity(), records());
    let page = html::write(&Report::new(&identity, &records, &Analysis::default()));
    assert_eq!(page.matches("<svg").count(), 4);
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    for outside in ["http", "src=", "href=", "@import", "url(", "import "] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(!page.contains("<two>") && page.contains("&lt;two&gt;"));
    assert_eq!(
        page.matches("<script").count(),
        2,
        "the games and their viewer"
    );
    let plots = &page[..page.find("viewer").expect("games to click through")];
    assert!(
        !plots.contains("NaN") && !plots.contains("inf"),
        "plots of finite numbers"
    );
}

#[test]
fn without_times_the_reports_say_nothing_that_differs_from_run_to_run() {
    let (identity, mut records) = (identity(), records());
    let written = |records: &[PairRecord], date: &str| {
        let run = Run {
            command: format!("selfplay --at {date}"),
            date: date.to_owned(),
            program: "selfplay 0".to_owned(),
        };
        let report = Report::new(&identity, records, &Analysis::default()).by(run);
        [Detail::Reproducible, Detail::WithTimes]
            .map(|detail| table::write(&report, detail) + &json::write(&report, detail))
    };
    let before = written(&records, "yesterday");
    for record in &mut records {
        record.timing[0].total_us += 5_000_000;
        record.timing[1].thinking_us.a += 9_000;
    }
    let after = written(&records, "today");
    assert_eq!(before[0], after[0]);
    assert_ne!(before[1], after[1]);
    assert!(after[1].contains("selfplay --at today"), "{}", after[1]);
}

#[test]
fn pages_hold_command_date_version_and_every_game() {
    let (mut identity, records) = (identity(), records());
    identity.players.a = "</script><b>".to_owned();
    let run = Run {
        command: "selfplay --a '<x>'".to_owned(),
        date: "2026-11-21 23:20 UTC".to_owned(),
        program: "selfplay 0".to_owned(),
    };
    let page = html::write(&Report::new(&identity, &records, &Analysis::default()).by(run));
    for word in ["2026-11-21 23:20 UTC", "selfplay 0", "--a '&lt;x&gt;'"] {
        assert!(page.contains(word), "{word}");
    }
    let begin = page.find("id=\"games-data\">").expect("games") + 16;
    let data = &page[begin..];
    let data = &data[..data.find("</script>").expect("an end")];
    let games: serde_json::Value = serde_json::from_str(data).expect("JSON");
    let games = games.as_array().expect("a list");
    assert_eq!(games.len(), 8);
    assert_eq!(games[5]["plies"], records[2].games[1].plies.as_str());
    let title = games[0]["title"].as_str().expect("a title");
    assert!(
        title.contains("A </script><b> – B <two>: A wins, no legal action, 40 plies"),
        "{title}"
    );
}

#[test]
fn a_score_of_all_or_nothing_is_bounded() {
    let (identity, records) = (identity(), records());
    let perfect: Vec<PairRecord> = (0..10)
        .map(|pair| PairRecord {
            pair,
            ..records[0].clone()
        })
        .collect();
    let report = Report::new(&identity, &perfect, &Analysis::default());
    let text = table::write(&report, Detail::Reproducible);
    assert!(
        text.contains("A − B above 182.7 (95 %), superiority"),
        "{text}"
    );
    let document: serde_json::Value =
        serde_json::from_str(&json::write(&report, Detail::Reproducible)).expect("JSON");
    assert!(document["elo"].is_null() && document["elo_high"].is_null());
    assert!(document["elo_low"].as_f64() > Some(182.0));
    assert!(html::write(&report).contains("above 182.7"));
    // Neither the ratios nor the seats claim an error that ten equal results cannot show.
    assert!(text.contains("AR(A,B) above 2.965 "), "{text}");
    assert!(text.contains("AR(B,A) below 1.035\n"), "{text}");
    for shown in [&text, &html::write(&report)] {
        assert!(!shown.contains("± 0.000"), "{shown}");
    }
    assert!(document["standard_error"].is_null());
    assert!(document["advantage_ratio_a_bounds"][0].as_f64() > Some(2.96));
}

#[test]
fn matches_of_nothing_and_of_one_pair_are_reported_too() {
    let (identity, records) = (identity(), records());
    for few in [&records[..0], &records[..1]] {
        let report = Report::new(&identity, few, &Analysis::default());
        assert!(
            table::write(&report, Detail::WithTimes).contains(&format!("{} games", 2 * few.len()))
        );
        assert!(json::write(&report, Detail::WithTimes).contains("\"standard_error\": null"));
        let page = html::write(&report);
        assert!(!page.contains("NaN"), "{page}");
    }
}
