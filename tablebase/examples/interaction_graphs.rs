//! The classes of sets by interaction graphs, without our board: Dominoes and Skat.
//!
//! Saffidine, Jouandeau, Buron and Cazenave call two sets equivalent if their graphs of who acts on
//! whom are isomorphic. Nodes are a game's elements, marked with how many there are of each.
//!
//! - **Dominoes**: 28 tiles (i, j), 0 ≤ i ≤ j ≤ 6, in two hands, and the two ends of the chain, which
//!   are a tile too. Tiles act on each other if they share a number; a double shares its number with
//!   itself. All elements differ, or the ends are the same as one tile in a hand. A position of a set
//!   says which element is the ends, and who holds each tile; nobody's hand is empty.
//! - **Skat**: 32 cards of a suit game with one suit trump, the jacks on top of it; a card acts on
//!   those that it beats. The paper gives no counts.
//!
//! ```console
//! $ cargo run --release -p anqi-tablebase --features unstable --example interaction_graphs -- 6
//! ```

use std::collections::HashSet;

/// A graph: the marks of the nodes, and for each pair what one does to the other.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Graph {
    marks: Vec<u8>,
    /// Row by row.
    acts: Vec<u8>,
}

impl Graph {
    fn new<E>(elements: &[E], mark: impl Fn(&E) -> u8, acts: impl Fn(&E, &E) -> u8) -> Graph {
        let rows = elements.iter();
        Graph {
            marks: elements.iter().map(mark).collect(),
            acts: rows
                .flat_map(|a| elements.iter().map(|b| acts(a, b)).collect::<Vec<_>>())
                .collect(),
        }
    }

    /// Returns the graph with its nodes in this order.
    fn ordered(&self, order: &[usize]) -> Graph {
        let nodes = self.marks.len();
        let row = |&a: &usize| order.iter().map(move |&b| self.acts[a * nodes + b]);
        Graph {
            marks: order.iter().map(|&node| self.marks[node]).collect(),
            acts: order.iter().flat_map(row).collect(),
        }
    }

    /// What an isomorphism preserves of a node: its mark, what acts on it and what it acts on.
    fn kind(&self, node: usize) -> (u8, Vec<u8>, Vec<u8>) {
        let nodes = self.marks.len();
        let mut row = self.acts[node * nodes..][..nodes].to_vec();
        let mut column: Vec<u8> = (0..nodes)
            .map(|other| self.acts[other * nodes + node])
            .collect();
        row.sort_unstable();
        column.sort_unstable();
        (self.marks[node], row, column)
    }

    /// Returns the least isomorphic graph.
    fn canonical(&self) -> Graph {
        let mut nodes: Vec<usize> = (0..self.marks.len()).collect();
        nodes.sort_by_cached_key(|&node| self.kind(node));
        let kinds: Vec<_> = nodes.iter().map(|&node| self.kind(node)).collect();
        let mut least: Option<Graph> = None;
        permute(&mut nodes, &kinds, 0, &mut |order| {
            let graph = self.ordered(order);
            if least.as_ref().is_none_or(|least| graph < *least) {
                least = Some(graph);
            }
        });
        least.unwrap_or_else(|| self.clone())
    }
}

/// Visits all orders of the nodes from `at` on that keep the sequence of kinds.
fn permute<K: Eq>(nodes: &mut [usize], kinds: &[K], at: usize, visit: &mut impl FnMut(&[usize])) {
    if at == nodes.len() {
        return visit(nodes);
    }
    for other in (at..nodes.len()).take_while(|&other| kinds[other] == kinds[at]) {
        nodes.swap(at, other);
        permute(nodes, kinds, at + 1, visit);
        nodes.swap(at, other);
    }
}

/// Calls `visit` with every choice of `count` of the elements.
fn for_each_choice<E: Copy>(elements: &[E], count: usize, visit: &mut impl FnMut(&[E])) {
    fn extend<E: Copy>(chosen: &mut Vec<E>, rest: &[E], left: usize, visit: &mut impl FnMut(&[E])) {
        if left == 0 {
            return visit(chosen);
        }
        for (index, &element) in rest.iter().enumerate() {
            chosen.push(element);
            extend(chosen, &rest[index + 1..], left - 1, visit);
            chosen.pop();
        }
    }
    extend(&mut Vec::new(), elements, count, visit);
}

/// Counts sets and the classes of their graphs.
#[derive(Default)]
struct Count {
    sets: u64,
    classes: HashSet<Graph>,
    /// Graphs seen so far, so that equal ones are made canonical once.
    met: HashSet<Graph>,
}

impl Count {
    fn add(&mut self, graph: &Graph) {
        self.sets += 1;
        if self.met.insert(graph.clone()) {
            self.classes.insert(graph.canonical());
        }
    }

    fn finish(&self) -> (u64, usize) {
        (self.sets, self.classes.len())
    }
}

/// A tile, and how many elements it stands for.
type Tile = (u8, u8, u8);

/// How many there are of sets of one size: sets, positions of sets, classes, positions of one set of each class.
#[derive(Debug, PartialEq, Eq)]
struct Dominoes {
    sets: u64,
    positions: u64,
    classes: usize,
    class_positions: u64,
}

/// The positions of a set of Dominoes.
fn positions(graph: &Graph) -> u64 {
    let has_twin = graph.marks.contains(&2);
    // The twin of a tile can only be the ends.
    let nodes = graph.marks.len() as u64;
    let (tiles, ends) = if has_twin {
        (nodes, 1)
    } else {
        (nodes - 1, nodes)
    };
    ends * ((1 << tiles) - 2)
}

/// Counts sets of this many elements of Dominoes.
fn dominoes(elements: usize) -> Dominoes {
    let tiles: Vec<Tile> = (0..7)
        .flat_map(|i| (i..7).map(move |j| (i, j, 1)))
        .collect();
    let graph = |set: &[Tile]| {
        let share = |a: &Tile, b: &Tile| -> u8 {
            if (a.0, a.1) == (b.0, b.1) {
                return u8::from(a.0 == a.1);
            }
            u8::from([b.0, b.1].contains(&a.0) || [b.0, b.1].contains(&a.1))
        };
        Graph::new(set, |tile| tile.2, share)
    };
    let mut count = Count::default();
    let mut all = 0;
    let mut add = |graph: &Graph| {
        all += positions(graph);
        count.add(graph);
    };
    for_each_choice(&tiles, elements, &mut |set| add(&graph(set)));
    for_each_choice(&tiles, elements - 1, &mut |set| {
        for double in 0..set.len() {
            let mut set = set.to_vec();
            set[double].2 = 2;
            add(&graph(&set));
        }
    });
    Dominoes {
        sets: count.sets,
        positions: all,
        classes: count.classes.len(),
        class_positions: count.classes.iter().map(positions).sum(),
    }
}

/// A card: its suit, 0 for trumps, and its rank there.
type Card = (u8, u8);

/// Counts sets of this many cards of Skat, and their classes.
fn skat(cards: usize) -> (u64, usize) {
    // Ace, ten, king, queen, nine, eight, seven; the four jacks are trumps above these.
    let trumps = (0..11).map(|rank| (0, rank));
    let plain = (1..4).flat_map(|suit| (0..7).map(move |rank| (suit, rank)));
    let deck: Vec<Card> = trumps.chain(plain).collect();
    let beats =
        |a: &Card, b: &Card| -> u8 { u8::from(if a.0 == b.0 { a.1 > b.1 } else { a.0 == 0 }) };
    let mut count = Count::default();
    for_each_choice(&deck, cards, &mut |set| {
        count.add(&Graph::new(set, |_| 1, beats));
    });
    count.finish()
}

fn main() {
    let most = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let most: usize = most.unwrap_or(5);
    for elements in 3..=most.min(7) {
        let Dominoes {
            sets,
            positions,
            classes,
            class_positions,
        } = dominoes(elements);
        println!(
            "dominoes, {elements} elements: {sets} sets of {positions} positions, {classes} classes of {class_positions}"
        );
    }
    for cards in 2..=most.min(6) {
        let (sets, classes) = skat(cards);
        println!("skat, {cards} cards: {sets} sets, {classes} classes");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dominoes_are_as_published() {
        let counts = |elements| {
            let found = dominoes(elements);
            (
                found.sets,
                found.positions,
                found.classes,
                found.class_positions,
            )
        };
        assert_eq!(counts(3), (4_032, 21_168, 20, 92));
        assert_eq!(counts(4), (30_303, 550_368, 61, 996));
        assert_eq!(counts(5), (180_180, 8_026_200, 185, 7_854));
        // The paper prints 82,556,550 positions.
        assert_eq!(counts(6), (868_140, 82_555_200, 563, 53_790));
    }

    #[test]
    fn two_cards_of_skat_beat_each_other_or_not() {
        // Either one beats the other, or they are of two plain suits.
        assert_eq!(skat(2), (496, 2));
    }
}
