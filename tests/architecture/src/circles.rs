//! Circles among arrows.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::imports::Arrow;

/// Returns a shortest circle, as the files that it goes through, or none if the arrows all run one way.
pub fn shortest_circle(arrows: &BTreeSet<Arrow>) -> Option<Vec<String>> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in arrows {
        next.entry(from).or_default().push(to);
    }
    let circles = next.keys().filter_map(|file| circle_from(file, &next));
    circles.min_by_key(Vec::len)
}

/// The shortest way from a file back to itself.
fn circle_from(start: &str, next: &BTreeMap<&str, Vec<&str>>) -> Option<Vec<String>> {
    let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(file) = queue.pop_front() {
        for &to in next.get(file).into_iter().flatten() {
            if to == start {
                let mut way = vec![file.to_owned()];
                while let Some(&before) = came_from.get(way[way.len() - 1].as_str()) {
                    way.push(before.to_owned());
                }
                way.reverse();
                return Some(way);
            }
            if !came_from.contains_key(to) {
                came_from.insert(to, file);
                queue.push_back(to);
            }
        }
    }
    None
}

/// Returns arrows whose removal leaves no circle: of each shortest circle one that leads from a file to its own
/// folder's door, or else the last.
pub fn turning_back(arrows: &BTreeSet<Arrow>) -> Vec<Arrow> {
    let mut left = arrows.clone();
    let mut back = Vec::new();
    while let Some(circle) = shortest_circle(&left) {
        let turned = circle.iter().cycle().skip(1);
        let of_circle: Vec<Arrow> = circle.iter().cloned().zip(turned.cloned()).collect();
        let to_door = of_circle.iter().find(|(from, to)| leads_to_door(from, to));
        let arrow = to_door.or(of_circle.last()).cloned();
        let arrow = arrow.expect("a circle has arrows");
        left.remove(&arrow);
        back.push(arrow);
    }
    back.sort();
    back
}

fn leads_to_door(from: &str, to: &str) -> bool {
    let own_door = to.strip_suffix("mod.rs").or(to.strip_suffix(".rs"));
    own_door.is_some_and(|folder| from != to && from.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrows(text: &str) -> BTreeSet<Arrow> {
        let pairs = text
            .split_whitespace()
            .filter_map(|pair| pair.split_once('>'));
        pairs
            .map(|(from, to)| (from.to_owned(), to.to_owned()))
            .collect()
    }

    #[test]
    fn the_shortest_circle_is_found_and_none_in_a_tree() {
        assert_eq!(shortest_circle(&arrows("a>b a>c b>c c>d")), None);
        let found = shortest_circle(&arrows("a>b b>c c>d d>a c>b")).unwrap();
        assert_eq!(found, ["b", "c"]);
    }

    #[test]
    fn arrows_to_the_own_door_turn_back_first() {
        let back = turning_back(&arrows("t/mod.rs>t/a.rs t/a.rs>t/mod.rs x>y y>x"));
        assert!(back.contains(&("t/a.rs".to_owned(), "t/mod.rs".to_owned())));
        assert_eq!(back.len(), 2);
    }
}
