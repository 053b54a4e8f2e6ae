//! Capture graphs: material sets without the names and squares of their pieces.
//!
//! A node is a kind of piece with its colour and count; an edge says that one
//! node captures another, by a step or (a cannon) by a jump. Two sets whose graphs
//! are isomorphic play alike (Saffidine et al.), so one table serves both.
//!
//! **Twins** go a step further. Two kinds of one colour that are both cannons
//! or both not, and that capture and are captured by exactly the same enemy
//! kinds *in this set*, move, block and die alike: king and guard against a lone
//! minister. They are interchangeable, so they become one node whose count is
//! the sum, and their tables treat them as identical pieces.
//!
//! The canonical form of a graph is the least code over all orders of the
//! smaller colour's nodes (at most four, hence 24 orders); for each such order
//! the other colour's nodes are simply sorted.

use anqi_rules::order::sort_few_by;
use anqi_rules::{Color, Piece, Role};
use smallvec::SmallVec;

use crate::classes::Material;

/// Whether kinds that play alike are merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Twins {
    /// Every kind of piece is its own node, as in the paper.
    Apart,
    /// Twins are one node.
    Merged,
}

/// Pieces of one colour that play alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The colour.
    pub color: Color,
    /// The merged roles, strongest first.
    pub roles: SmallVec<[Role; 4]>,
    /// How many pieces.
    pub count: usize,
    /// Whether they capture by jumping.
    pub jumps: bool,
}

/// The capture graph of a material set, nodes in canonical order: red, then black.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// All nodes.
    pub nodes: SmallVec<[Node; 8]>,
    /// How many of the nodes are red.
    pub red: usize,
    /// Equal for isomorphic graphs, and only for them.
    pub code: GraphCode,
}

/// The number of a class of isomorphic graphs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GraphCode(u128);

impl GraphCode {
    /// Returns the code as a plain number.
    pub fn value(self) -> u128 {
        self.0
    }
}

impl Graph {
    /// Builds the graph of a set in its canonical order.
    pub fn new(set: &Material, twins: Twins) -> Graph {
        let red = nodes_of(set, Color::Red, twins);
        let black = nodes_of(set, Color::Black, twins);
        if red.len() < black.len() {
            let (code, red, black) = canonical(&red, &black);
            Graph::assemble(red, black, code)
        } else {
            let (code, black, red) = canonical(&black, &red);
            Graph::assemble(red, black, code)
        }
    }

    fn assemble(red: Nodes, black: Nodes, code: u128) -> Graph {
        let header = (red.len() as u128) << 4 | black.len() as u128;
        let reds = red.len();
        Graph {
            nodes: red.into_iter().chain(black).collect(),
            red: reds,
            code: GraphCode(code << 8 | header),
        }
    }

    /// Returns the node that a piece of the set belongs to.
    pub(crate) fn node_of(&self, piece: Piece) -> Option<usize> {
        self.nodes
            .iter()
            .position(|node| node.color == piece.color() && node.roles.contains(&piece.role()))
    }

    /// Returns whether node `hunter` captures node `prey`, by its kind of capture.
    pub fn takes(&self, hunter: usize, prey: usize) -> bool {
        let (hunter, prey) = (&self.nodes[hunter], &self.nodes[prey]);
        hunter.color != prey.color && (hunter.jumps || steps_on(hunter, prey))
    }
}

type Nodes = SmallVec<[Node; 8]>;
/// An order of nodes, by their places.
type Places = SmallVec<[usize; 8]>;

fn steps_on(hunter: &Node, prey: &Node) -> bool {
    hunter.roles[0].captures(prey.roles[0])
}

/// The nodes of one colour, in the order of the roles.
fn nodes_of(set: &Material, color: Color, twins: Twins) -> Nodes {
    let enemies: SmallVec<[Role; 7]> = set
        .kinds()
        .filter(|(piece, _)| piece.color() != color)
        .map(|(piece, _)| piece.role())
        .collect();
    let mut nodes = Nodes::new();
    for (piece, count) in set.kinds().filter(|(piece, _)| piece.color() == color) {
        let role = piece.role();
        let twin = nodes
            .iter_mut()
            .find(|node| twins == Twins::Merged && alike(node.roles[0], role, &enemies));
        if let Some(node) = twin {
            node.roles.push(role);
            node.count += count;
        } else {
            nodes.push(Node {
                color,
                roles: SmallVec::from_slice(&[role]),
                count,
                jumps: role.jumps(),
            });
        }
    }
    nodes
}

fn alike(a: Role, b: Role, enemies: &[Role]) -> bool {
    a.jumps() == b.jumps()
        && enemies
            .iter()
            .all(|&e| a.captures(e) == b.captures(e) && e.captures(a) == e.captures(b))
}

/// Finds the least code over the orders of `few`; returns it with both colours in that order.
fn canonical(few: &Nodes, many: &Nodes) -> (u128, Nodes, Nodes) {
    let mut best: Option<(u128, Places, Places)> = None;
    let mut order: Places = (0..few.len()).collect();
    loop {
        let (code, rows) = code_of(few, &order, many);
        if best.as_ref().is_none_or(|(least, ..)| code < *least) {
            best = Some((code, order.clone(), rows));
        }
        if !next_permutation(&mut order) {
            break;
        }
    }
    let (code, few_order, many_order) = best.expect("there is at least one order");
    let pick = |nodes: &Nodes, order: &[usize]| order.iter().map(|&i| nodes[i].clone()).collect();
    (code, pick(few, &few_order), pick(many, &many_order))
}

/// The code for one order of `few`, with the order of `many` that sorting gives.
fn code_of(few: &Nodes, order: &[usize], many: &Nodes) -> (u128, Places) {
    let kind = |node: &Node| (node.count as u128) << 1 | u128::from(node.jumps);
    let mut rows: SmallVec<[(u128, usize); 8]> = many
        .iter()
        .enumerate()
        .map(|(i, node)| {
            let relations = order.iter().fold(0, |bits, &j| {
                let (to, from) = (steps_on(node, &few[j]), steps_on(&few[j], node));
                bits << 2 | u128::from(to) << 1 | u128::from(from)
            });
            (kind(node) << (2 * few.len()) | relations, i)
        })
        .collect();
    sort_few_by(&mut rows, Ord::cmp);
    let mut code = order.iter().fold(0, |code, &j| code << 5 | kind(&few[j]));
    for (row, _) in &rows {
        code = code << (5 + 2 * few.len()) | row;
    }
    (code, rows.iter().map(|&(_, i)| i).collect())
}

/// Steps to the next permutation in lexicographic order; false after the last.
fn next_permutation(order: &mut [usize]) -> bool {
    let Some(pivot) = order.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let successor = order
        .iter()
        .rposition(|&x| x > order[pivot])
        .expect("the element after the pivot is larger");
    order.swap(pivot, successor);
    order[pivot + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(text: &str, twins: Twins) -> Graph {
        Graph::new(&text.parse().unwrap(), twins)
    }

    #[test]
    fn twins_merge_only_when_no_enemy_tells_them_apart() {
        assert_eq!(graph("KGm", Twins::Merged).nodes.len(), 2);
        assert_eq!(graph("KGm", Twins::Apart).nodes.len(), 3);
        assert_eq!(
            graph("KGp", Twins::Merged).nodes.len(),
            3,
            "a pawn takes the king only"
        );
        assert_eq!(
            graph("KGk", Twins::Merged).nodes.len(),
            3,
            "a king takes the guard only"
        );
        assert_eq!(graph("GCm", Twins::Merged).nodes.len(), 3, "a cannon jumps");
    }

    #[test]
    fn isomorphic_sets_share_a_code_and_others_do_not() {
        let code = |text: &str| graph(text, Twins::Apart).code;
        assert_eq!(code("Gm"), code("Mn"));
        assert_eq!(code("GMrn"), code("KGmr"));
        assert_ne!(code("GMrn"), code("MRnc"), "a cannon is not a knight");
        assert_ne!(code("Gm"), code("Mg"), "colours are not exchanged");
        assert_eq!(
            graph("KGm", Twins::Merged).code,
            graph("GGm", Twins::Merged).code
        );
    }

    #[test]
    fn permutations_are_all_visited() {
        let mut order = [0, 1, 2, 3];
        let mut count = 1;
        while next_permutation(&mut order) {
            count += 1;
        }
        assert_eq!((count, order), (24, [3, 2, 1, 0]));
    }
}
