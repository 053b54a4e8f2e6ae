//! Distilled files, probed as other programs do, against units solved in memory.

use anqi_rules::{Color, Position, Rules};
use anqi_tablebase::classes::{Material, Units};
use anqi_tablebase::distil::{Pocket, distil};
use anqi_tablebase::numbering::{Lookup, Placement, locate, position_of};
use anqi_tablebase::solve::{Goal, Store, Wdl};
use anqi_tablebase::{Endgames, Tables};

fn pocket(pieces: usize) -> Pocket {
    let made = distil(pieces, &|_, _, _| ()).unwrap();
    Pocket::new(made.bytes).unwrap()
}

/// Every position of every unit, both sides to move, and how many nodes they took.
#[test]
fn every_value_of_up_to_three_pieces_is_right() {
    let pocket = pocket(3);
    let store = Store::solve(3, Goal::Values).unwrap();
    let (mut positions, mut nodes, mut most) = (0u64, 0u64, 0);
    for pieces in 2..=3 {
        for (unit, solved) in Units::of(pieces).list().iter().zip(
            store
                .iter()
                .filter(|solved| solved.layout.unit.pieces() == pieces),
        ) {
            for address in 0..solved.layout.addresses() {
                let Some(groups) = solved.layout.groups_at(address) else {
                    continue;
                };
                for turn in Color::ALL {
                    let place = Placement {
                        pieces,
                        unit: unit.number,
                        turn,
                        groups,
                    };
                    let answer = pocket.answer_placement(&place);
                    assert_eq!(answer.wdl, solved.wdl(turn, address), "{unit} {address}");
                    positions += 1;
                    nodes += u64::from(answer.nodes);
                    most = most.max(answer.nodes);
                }
            }
        }
    }
    println!(
        "{positions} positions, {} nodes each, most {most}",
        nodes as f64 / positions as f64
    );
}
