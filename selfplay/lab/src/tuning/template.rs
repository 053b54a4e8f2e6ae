//! A first plan of a tuning run, for people to edit.

use std::fmt::Write;

use anqi_search::parameters::{Description, Kind, Purpose, Value};
use anqi_search::players::settings_of;

use super::checks::PlanError;
use super::plan::{GainSchedule, Plan, Tuned};

/// The suggested range of a parameter: this many steps on either side of its value.
const STEPS_AROUND: i64 = 10;

/// The schedule of a first run.
const SCHEDULE: GainSchedule = GainSchedule {
    iterations: 200,
    pairs: 10,
    a: 20.0,
    c: 2.0,
    stability: 20.0,
    alpha: 0.602,
    gamma: 0.101,
};

/// Writes a plan to tune these parameters of a player, or all numbers about play if none is named.
///
/// # Errors
///
/// Returns an error that names the parameter if the player lacks it or it cannot be tuned.
pub fn write(player: &str, names: &[String]) -> Result<String, PlanError> {
    let settings = settings_of(player).map_err(PlanError::Player)?;
    let is_chosen = |known: &Description| match names {
        [] => known.purpose == Purpose::Play,
        names => names.iter().any(|name| name == known.name),
    };
    let chosen = settings.iter().filter(|(known, _)| is_chosen(known));
    let tuned: Vec<(Tuned, &Description)> = chosen
        .filter_map(|(known, value)| Some((suggested(known, value)?, known)))
        .collect();
    let named = names.iter().map(|name| Tuned {
        name: name.clone(),
        start: None,
        min: 0,
        max: 0,
        step: 1,
    });
    // Every named parameter must exist and be a number.
    let plan = |parameters| Plan {
        player: player.to_owned(),
        opponent: None,
        games: Default::default(),
        schedule: SCHEDULE,
        objective: Default::default(),
        parameters,
        test: Default::default(),
    };
    for name in named {
        if !tuned.iter().any(|(known, _)| known.name == name.name) {
            plan(vec![name]).defaults()?;
        }
    }
    let plan = plan(tuned.iter().map(|(tuned, _)| tuned.clone()).collect());
    plan.check()?;
    let meanings = tuned.iter().map(|(_, known)| known.meaning);
    Ok(head(&plan) + &parameters(&plan, meanings))
}

/// Returns a range around a value that leaves room for the first perturbations.
fn suggested(known: &Description, value: &Value) -> Option<Tuned> {
    let Kind::Integer {
        least, most, step, ..
    } = known.kind
    else {
        return None;
    };
    let start: i64 = value.number();
    let room = STEPS_AROUND * step;
    Some(Tuned {
        name: known.name.to_owned(),
        start: Some(start),
        min: (start - room).max(least),
        max: (start + room).min(most),
        step,
    })
}

/// Writes all but the parameters.
fn head(plan: &Plan) -> String {
    let GainSchedule {
        iterations,
        pairs,
        a,
        c,
        stability,
        alpha,
        gamma,
    } = plan.schedule;
    let test = &plan.test;
    format!(
        r#"# A tuning run. Start it, or go on with it: selfplay tune THIS_FILE --out DIR
# docs/tuning.md explains every line; what is left out has the value that stands here.

player = {player:?}
# Both perturbed players meet each other. With an opponent both meet that one, on the same deals:
# opponent = "enhance"

[games]
nodes = 5000          # nodes a move; or depth = 3, or movetime = 50 (milliseconds: no run is like another then)
rules = {rules:?}
deal = "{deal}"
seed = {seed}

[schedule]            # in iteration k, counted from 0:
iterations = {iterations}
pairs = {pairs}            # deals, each played twice
a = {a:.1}              # step a / (k + 1 + A)^alpha, in steps of each parameter
c = {c:.1}               # perturbation c / (k + 1)^gamma, in steps of each parameter
A = {stability:.1}
alpha = {alpha}
gamma = {gamma}

[objective]
results = "raw"       # "adjusted" takes the luck of flips out
# appraiser = "moves=2"

[test]                # of the tuned player against the one above, on fresh deals
games = {games}          # at most; 0 for no test
elo0 = {elo0:.1}
elo1 = {elo1:.1}
alpha = {test_alpha}
beta = {beta}
"#,
        player = plan.player,
        rules = plan.games.rules,
        deal = plan.games.deal,
        seed = plan.games.seed,
        games = test.games,
        elo0 = test.elo0,
        elo1 = test.elo1,
        test_alpha = test.alpha,
        beta = test.beta,
    )
}

fn parameters<'a>(plan: &Plan, meanings: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for (tuned, meaning) in plan.parameters.iter().zip(meanings) {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n[[parameter]]         # {meaning}\nname = {:?}\nstart = {}\nmin = {}\nmax = {}\nstep = {}\n",
            tuned.name,
            tuned.start.unwrap_or_default(),
            tuned.min,
            tuned.max,
            tuned.step
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_search::players::KINDS;

    fn read(text: &str) -> Plan {
        let plan: Plan = toml::from_str(text).expect("TOML");
        plan.check().expect("a plan");
        plan
    }

    #[test]
    fn the_plan_of_every_player_can_be_carried_out() {
        for kind in KINDS {
            match write(kind.name, &[]) {
                Ok(text) => assert_eq!(read(&text).player, kind.name),
                Err(error) => assert!(matches!(error, PlanError::NoParameter), "{error}"),
            }
        }
    }

    #[test]
    fn named_parameters_alone_are_written() {
        let named = ["flip-squares".to_owned(), "window".to_owned()];
        let plan = read(&write("champion:window=300,hash=1", &named).expect("a plan"));
        let names: Vec<&str> = plan.parameters.iter().map(|t| t.name.as_str()).collect();
        assert_eq!(names, ["flip-squares", "window"]);
        assert_eq!(plan.parameters[1].start, Some(300));
        assert_eq!(plan.parameters[0].min, 0);
        let error = |name: &str| {
            write("champion", &[name.to_owned()])
                .expect_err(name)
                .to_string()
        };
        assert!(error("margin").contains("'margin'"), "{}", error("margin"));
        assert!(error("star1").contains("'star1': is no number"));
    }
}
