//! The first champion's search trees never change.

use anqi_rules::{Game, Rules};
use anqi_search::players::by_spec;
use anqi_search::{Limits, Request, Stop};

/// Positions of all phases.
const POSITIONS: [&str; 6] = [
    "????/????/????/r???/????/??n?/?p??/???? r KGGMMRRNNCCPPPPPkggmmrnccpppp 0 3",
    "???n/g1??/??M?/????/?G?1/?1?P/N?p?/??M? r KGRRNCPPPPgmmrrnccppp 0 14",
    "nR1P/2?M/k?1P/?cm?/?r?1/?p1G/pg?1/gp?? b GRNNCPPcpp 0 30",
    "gg1R/2?K/1M2/G?CG/2P1/p1?P/1M2/m2P r NPm 0 44",
    "4/m3/1R1r/g3/3C/p1M1/1C1N/2G1 b - 0 80",
    "2g1/4/C3/3C/1p2/4/3N/G2M b - 8 110",
];
const DEPTH: u32 = 6;

#[test]
fn the_first_champion_still_searches_the_same_trees() {
    let mut player = by_spec("champion-1").expect("a player");
    let stop = Stop::new();
    let searched = POSITIONS.map(|text| {
        let position = text.parse().expect("a position");
        let game = Game::new(position, Rules::OLYMPIAD);
        let request = Request {
            game: &game,
            among: None,
            limits: Limits {
                depth: Some(DEPTH),
                ..Limits::NONE
            },
            seed: 1,
            stop: &stop,
        };
        player.new_game();
        let choice = player.choose(&request, &mut |_| {});
        format!("{} {}", choice.action, choice.nodes)
    });
    // Action and nodes of the champion on 2026-11-22. They never change.
    let expected = [
        "c5-c5 126843",
        "c5-c5 364793",
        "b5-b8 118940",
        "a5-a4 26546",
        "a3-a2 4585",
        "c8-c7 1260",
    ];
    assert_eq!(searched, expected);
}

#[test]
fn the_first_champion_can_be_told_only_what_it_may_spend() {
    for spec in [
        "champion-1",
        "champion-1:hash=16,threads=2,nodes=500,tables=0",
    ] {
        assert_eq!(
            by_spec(spec).map(|player| player.spec()),
            Ok(spec.to_owned())
        );
    }
    for spec in ["champion-1:swing=0", "champion-1:weights=built-in"] {
        assert!(by_spec(spec).is_err(), "{spec}");
    }
}
