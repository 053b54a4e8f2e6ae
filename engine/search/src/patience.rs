//! How much of its share of a total time a decision needs.
//!
//! An action that stays the best from one iteration to the next needs little more; one that has
//! just replaced another, or whose value falls, may be replaced again.

use anqi_rules::Action;

/// Per cent of a share for an action that has been the best throughout, and for each change lately.
const STEADY: u32 = 30;
const CHANGED: u32 = 60;
/// A fall of this much, in ten-thousandths, counts as much as a change; two of them are the most.
const FALL: i32 = 400;
const MOST_FALLS: i32 = 2;

/// What the iterations have shown so far.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Patience {
    last: Option<(Action, i32)>,
    /// Changes of the best action; each counts half as much after every iteration.
    unrest: f64,
}

impl Patience {
    /// Takes in the best action of an iteration with its value, and returns the need in per cent of
    /// a share.
    pub fn after(&mut self, action: Action, value: i32) -> u32 {
        let (changed, fall) = match self.last {
            None => (false, 0),
            Some((before, was)) => (before != action, was.saturating_sub(value)),
        };
        self.last = Some((action, value));
        self.unrest = self.unrest / 2.0 + f64::from(u8::from(changed));
        let falls = f64::from(fall.clamp(0, MOST_FALLS * FALL)) / f64::from(FALL);
        STEADY + (f64::from(CHANGED) * (self.unrest + falls)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_and_falls_need_time_and_are_forgotten() {
        let [one, other]: [Action; 2] = ["a1-a2", "b4-b4"].map(|text| text.parse().unwrap());
        let mut patience = Patience::default();
        assert_eq!(patience.after(one, 500), STEADY);
        assert_eq!(patience.after(one, 700), STEADY, "it rises");
        assert_eq!(patience.after(other, 700), STEADY + CHANGED);
        assert_eq!(patience.after(other, 700), STEADY + CHANGED / 2);
        assert_eq!(patience.after(other, 700), STEADY + CHANGED / 4);
        let fallen = patience.after(other, 700 - FALL);
        assert!(
            (STEADY + CHANGED..STEADY + CHANGED + 10).contains(&fallen),
            "{fallen}"
        );
        let most = patience.after(other, -9_000);
        assert!(most < STEADY + 3 * CHANGED, "{most}");
    }
}
