//! A node of the tree and its search window.

/// A node: its place in the tree, and the window for its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    /// Plies still to search.
    pub depth: i32,
    /// Plies below the root.
    pub ply: u32,
    /// Flips on the line to this node.
    pub flips: u32,
    /// Values up to this may be upper bounds.
    pub alpha: i32,
    /// Values from this up may be lower bounds.
    pub beta: i32,
}

impl Node {
    /// The root with a window.
    pub(super) fn root(depth: i32, (alpha, beta): (i32, i32)) -> Node {
        Node {
            depth,
            ply: 0,
            flips: 0,
            alpha,
            beta,
        }
    }

    /// The node with another window.
    pub(super) fn within(self, alpha: i32, beta: i32) -> Node {
        Node {
            alpha,
            beta,
            ..self
        }
    }

    /// The node with a null window, which tests only whether the value exceeds a bound.
    pub(super) fn null_window(self, bound: i32) -> Node {
        self.within(bound, bound + 1)
    }

    /// The node with less depth.
    pub(super) fn shallower(self, plies: i32) -> Node {
        Node {
            depth: self.depth - plies,
            ..self
        }
    }

    /// The node one ply down, from the other side's view.
    pub(super) fn other_side(self) -> Node {
        Node {
            ply: self.ply + 1,
            alpha: -self.beta,
            beta: -self.alpha,
            ..self
        }
    }

    /// Whether a value is only a bound within this window.
    pub(super) fn is_outside(self, value: i32) -> bool {
        value <= self.alpha || value >= self.beta
    }

    /// Whether the window is wider than a null window.
    pub(super) fn is_open(self) -> bool {
        self.beta > self.alpha + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_side_sees_the_window_mirrored() {
        let node = Node::root(5, (-30, 70));
        let other = node.other_side();
        assert_eq!((other.alpha, other.beta, other.ply), (-70, 30, 1));
        assert!(node.is_outside(-30) && node.is_outside(70) && !node.is_outside(69));
        assert!(node.is_open() && !node.null_window(3).is_open());
        let back = Node {
            ply: 0,
            ..other.other_side()
        };
        assert_eq!(back, node);
    }
}
