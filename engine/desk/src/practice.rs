//! Practice: positions of an ending to win or to hold, and a perfect opponent.
//!
//! An ending of up to four pieces is solved on the spot, with the plies to the end of the game. Positions
//! are drawn from all its placements by a seeded generator: those where some action keeps the value and
//! another one lets it go, from the quick wins to the long ones, and from the draws that most actions
//! hold to those that few do. Where there are [lessons] of the ending, their positions are
//! asked instead, with what they teach. The opponent of a learner who wins takes the longest way; that of one who
//! holds a draw goes where the fewest answers hold it.

use crate::board::Board;
use crate::lessons::{self, Lesson};
use crate::line::game_of;
use crate::material::{TableFolder, line, solved_to_end};
use crate::tables::{TableSet, TableVerdict, plies_to_end};
use crate::wire::{Code, Defended, Exercise, ExerciseGoal, Line, Refusal, ServerMessage, refuse};
use anqi_rules::random::{below, split_mix};
use anqi_rules::{Action, Color, Content, Game, Position, SQUARES, Setup};
use anqi_search::endgames::MOST_SOLVED_PIECES;
use anqi_tablebase::classes::Material;
use anqi_tablebase::numbering::material_of;
use anqi_tablebase::{Endgames, Tables, Wdl};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Placements that are looked at.
const SAMPLES: usize = 4_000;
/// Won positions that are chosen from them.
const WINS: usize = 14;
/// Drawn ones.
const DRAWS: usize = 10;
/// The hardest difficulty.
const HARDEST: f64 = 10.0;

/// Work on exercises.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Drill {
    /// Choose positions.
    Choose {
        /// The pieces.
        #[serde(with = "crate::crossing::material")]
        set: Material,
        /// Chooses.
        seed: u64,
        /// The lessons of the set, unless a folder has its own.
        #[serde(default)]
        lessons: Vec<Lesson>,
    },
    /// Judge the last action of a game and answer it.
    Judge {
        /// The game before the action.
        before: Box<Game>,
        /// The action.
        action: Action,
    },
}

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Drilled {
    /// The positions, the easiest first.
    Chosen(Vec<Exercise>),
    /// A judgement.
    Judged(Judgement),
}

/// What an action did to an exercise; values are the learner's.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Judgement {
    before: TableVerdict,
    after: TableVerdict,
    best: Vec<Action>,
    reply: Option<Action>,
}

impl Drill {
    /// Asks for positions of a set of pieces.
    ///
    /// # Errors
    ///
    /// Returns an error if the set has pieces of one side only, or more than are solved on the spot.
    pub fn choose(set: Material, seed: u64) -> Result<Drill, Refusal> {
        let most = MOST_SOLVED_PIECES as usize;
        if set.len() > most {
            let message = format!("{set} has {} pieces (expected at most {most})", set.len());
            return refuse(Code::Unreadable, message);
        }
        if Color::ALL.into_iter().any(|color| set.side(color) == 0) {
            let message = format!("{set} has one side only (expected pieces of both)");
            return refuse(Code::Unreadable, message);
        }
        let lessons = lessons::own_of(&set);
        Ok(Drill::Choose { set, seed, lessons })
    }

    /// Asks what the last action of a line did.
    ///
    /// # Errors
    ///
    /// Returns an error if the line cannot be played, is empty, or has face-down or too many pieces.
    pub fn judge(line: &Line) -> Result<Drill, Refusal> {
        let whole = game_of(line)?;
        let Some((last, earlier)) = whole.plies().split_last() else {
            return refuse(
                Code::Unreadable,
                "a line without plies (expected one or more)",
            );
        };
        let mut before = Game::new(*whole.start(), whole.rules());
        for &ply in earlier {
            before.play(ply).map_err(Refusal::unreadable)?;
        }
        let pieces = before.position().occupied().len();
        let is_open = before.position().face_down().is_empty();
        if !is_open || pieces > MOST_SOLVED_PIECES as usize {
            let message = format!(
                "{pieces} pieces, or some face down (expected at most {MOST_SOLVED_PIECES} face up)"
            );
            return refuse(Code::Unreadable, message);
        }
        Ok(Drill::Judge {
            before: Box::new(before),
            action: last.action,
        })
    }

    /// Returns the answer for the page.
    pub fn answer(&self, drilled: Drilled, tables: &TableSet) -> ServerMessage {
        match (self, drilled) {
            (Drill::Judge { before, action }, Drilled::Judged(judgement)) => {
                let mut game = (**before).clone();
                for action in [Some(*action), judgement.reply].into_iter().flatten() {
                    // Both were legal when they were judged.
                    let _ = game.play(action.into());
                }
                ServerMessage::Defended(Defended {
                    before: judgement.before,
                    after: judgement.after,
                    best: judgement.best.iter().map(Action::to_string).collect(),
                    reply: judgement.reply.map(|reply| reply.to_string()),
                    board: Box::new(Board::of(&game, tables)),
                })
            }
            (Drill::Choose { set, .. }, Drilled::Chosen(exercises)) => ServerMessage::Exercises {
                material: set.to_string(),
                exercises,
            },
            _ => ServerMessage::Error {
                code: Code::Internal,
                message: "the exercise was answered by another one".to_owned(),
            },
        }
    }
}

/// Solves endings, and keeps the last one: an exercise asks about the same one again and again.
#[derive(Debug, Default)]
pub struct Gym(Mutex<Option<(Material, Arc<Tables>)>>);

impl Gym {
    /// Does some work, with the lessons of a folder; `None` if the ending cannot be solved.
    pub fn work(&self, drill: &Drill, folder: Option<&dyn TableFolder>) -> Option<Drilled> {
        match drill {
            Drill::Choose { set, seed, lessons } => {
                let tables = self.solved(set)?;
                let text = folder.and_then(|folder| folder.lessons(set));
                let folders_own = text.map(|text| lessons::in_file(&text, set));
                let folders_own = folders_own.unwrap_or_default();
                let lists = [&folders_own, lessons].into_iter();
                let asked = lists.map(|list| list.iter().filter_map(Asked::lesson).collect());
                let mut taught = asked.map(|asked| exercises(&tables, asked));
                let chosen = taught.find(|chosen| !chosen.is_empty());
                let drawn = || exercises(&tables, drawn(set, *seed));
                Some(Drilled::Chosen(chosen.unwrap_or_else(drawn)))
            }
            Drill::Judge { before, action } => {
                // The start's tables know what captures lead to.
                let start = before.start();
                let small = start.occupied().len() <= MOST_SOLVED_PIECES as usize;
                let set = material_of(if small { start } else { before.position() })?;
                let tables = self.solved(&set)?;
                judge(&tables, before, *action).map(Drilled::Judged)
            }
        }
    }

    fn solved(&self, set: &Material) -> Option<Arc<Tables>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, tables)) = &*kept
            && known == set
        {
            return Some(Arc::clone(tables));
        }
        let tables = Arc::new(solved_to_end(set)?);
        *kept = Some((*set, Arc::clone(&tables)));
        Some(tables)
    }
}

/// An action and its value for the side that plays it.
#[derive(Clone, Copy)]
struct Valued {
    action: Action,
    wdl: Wdl,
    plies: Option<u16>,
}

fn options(tables: &Tables, position: &Position) -> Option<Vec<Valued>> {
    let valued = position.actions().into_iter().map(|action| {
        let mut next = *position;
        let _ = next.step_unchecked(action);
        Some(Valued {
            action,
            wdl: tables.known(&next)?.wdl.reversed(),
            plies: plies_to_end(tables, &next).map(|plies| plies + 1),
        })
    });
    valued.collect()
}

/// A position that may be asked.
struct Asked {
    position: Position,
    lesson: Option<Lesson>,
}

impl Asked {
    fn lesson(lesson: &Lesson) -> Option<Asked> {
        let lesson = lesson.clone();
        Some(Asked {
            position: lesson.start()?,
            lesson: Some(lesson),
        })
    }
}

/// Draws positions of a set.
fn drawn(set: &Material, seed: u64) -> Vec<Asked> {
    let mut state = seed;
    let all = (0..SAMPLES).map(|_| Asked {
        position: placed(set, &mut state),
        lesson: None,
    });
    all.collect()
}

/// Chooses among positions, the easiest first.
fn exercises(tables: &Tables, asked: Vec<Asked>) -> Vec<Exercise> {
    let mut seen = HashSet::new();
    let (mut wins, mut draws) = (Vec::new(), Vec::new());
    for each in asked {
        if !seen.insert(each.position.to_string()) {
            continue;
        }
        match sampled(tables, each) {
            Some(found) if found.plies.is_some() => wins.push(found),
            Some(found) => draws.push(found),
            None => {}
        }
    }
    let longest = wins.iter().filter_map(|found| found.plies).max();
    let longest = f64::from(longest.unwrap_or(2).max(2)).ln();
    wins.sort_by_key(|found| found.plies);
    draws.sort_by(|a, b| b.held.total_cmp(&a.held));
    let won = spread(&wins, WINS).map(|found| {
        let plies = found.plies.map(u32::from);
        let score = plies.map_or(0.0, |plies| f64::from(plies).ln() / longest);
        let way = line(tables, found.position);
        exercise(tables, found, ExerciseGoal::Win, score, way)
    });
    let drawn = spread(&draws, DRAWS).map(|found| {
        exercise(
            tables,
            found,
            ExerciseGoal::Draw,
            1.0 - found.held,
            Vec::new(),
        )
    });
    let mut chosen: Vec<Exercise> = won.chain(drawn).collect();
    chosen.sort_by_key(|exercise| (exercise.difficulty, exercise.plies));
    chosen
}

/// A position of which something can be asked.
struct Sampled {
    position: Position,
    /// Plies to the end of a won one.
    plies: Option<u16>,
    /// The share of the actions that keep the value.
    held: f64,
    lesson: Option<Lesson>,
}

/// Returns a position's task, `None` if there is nothing to win or to hold, or nothing to lose.
fn sampled(tables: &Tables, asked: Asked) -> Option<Sampled> {
    let position = &asked.position;
    let known = tables.known(position)?;
    let options = options(tables, position)?;
    let keeps = options.iter().filter(|each| each.wdl == known.wdl).count();
    if known.wdl == Wdl::Loss || keeps == 0 || keeps == options.len() {
        return None;
    }
    let plies = match known.wdl {
        Wdl::Win => Some(plies_to_end(tables, position)?),
        _ => None,
    };
    Some(Sampled {
        position: *position,
        plies,
        held: keeps as f64 / options.len() as f64,
        lesson: asked.lesson,
    })
}

/// Returns so many of a list, the first and the last among them.
fn spread<T>(list: &[T], wanted: usize) -> impl Iterator<Item = &T> {
    let wanted = wanted.min(list.len());
    let last = list.len().saturating_sub(1);
    (0..wanted).map(move |index| &list[index * last / wanted.saturating_sub(1).max(1)])
}

fn exercise(
    tables: &Tables,
    found: &Sampled,
    goal: ExerciseGoal,
    score: f64,
    line: Vec<String>,
) -> Exercise {
    let told = |lesson: &Lesson| lesson.told(tables, &found.position);
    Exercise {
        position: found.position.to_string(),
        goal,
        plies: found.plies.map(u32::from),
        // A score from 0 to 1 becomes a difficulty from 1 to 10.
        difficulty: (1.0 + score * (HARDEST - 1.0)).round().clamp(1.0, HARDEST) as u32,
        line,
        lesson: found.lesson.as_ref().and_then(told),
    }
}

/// Puts the pieces on different squares at random, for either side to move.
fn placed(set: &Material, state: &mut u64) -> Position {
    let mut board = [Content::Empty; SQUARES];
    for (piece, count) in set.kinds() {
        for _ in 0..count {
            loop {
                let square = below(SQUARES as u64, || split_mix(state)) as usize;
                if board[square] == Content::Empty {
                    board[square] = Content::FaceUp(piece);
                    break;
                }
            }
        }
    }
    let turn = Color::ALL[below(2, || split_mix(state)) as usize];
    let setup = Setup {
        board,
        turn: Some(turn),
        ..Setup::default()
    };
    setup
        .position()
        .expect("pieces of both sides on different squares are a position")
}

/// Judges an action of a game and finds the answer; `None` if a value is not known.
fn judge(tables: &Tables, before: &Game, action: Action) -> Option<Judgement> {
    let position = before.position();
    let options = options(tables, position)?;
    let played = *options.iter().find(|each| each.action == action)?;
    let value = tables.known(position)?.wdl;
    let plies = plies_to_end(tables, position);
    let mut after = before.clone();
    after.play(action.into()).ok()?;
    let verdict = |wdl: Wdl, plies: Option<u16>| TableVerdict {
        wdl: wdl.into(),
        dtc: None,
        dtw: plies.filter(|_| wdl != Wdl::Draw),
    };
    Some(Judgement {
        before: verdict(value, plies),
        after: verdict(played.wdl, played.plies.map(|plies| plies - 1)),
        best: best(&options, value),
        reply: match after.outcome() {
            None => Some(reply(tables, after.position())?),
            Some(_) => None,
        },
    })
}

/// Returns the actions that keep a value; of a win, those that hurry.
fn best(options: &[Valued], value: Wdl) -> Vec<Action> {
    let keep = options.iter().filter(|each| each.wdl == value);
    let soonest = keep.clone().filter_map(|each| each.plies).min();
    let hurries = |each: &&Valued| value != Wdl::Win || each.plies == soonest;
    keep.filter(hurries).map(|each| each.action).collect()
}

/// Returns the best answer: the quickest win, the draw that is hardest to hold, or the slowest loss.
fn reply(tables: &Tables, position: &Position) -> Option<Action> {
    let options = options(tables, position)?;
    let value = options.iter().map(|each| each.wdl).max()?;
    let keep: Vec<Valued> = options
        .into_iter()
        .filter(|each| each.wdl == value)
        .collect();
    let best = match value {
        Wdl::Win => keep.iter().min_by_key(|each| each.plies),
        // The first of several as slow, which `max_by_key` would pass over.
        Wdl::Loss => keep.iter().rev().max_by_key(|each| each.plies),
        Wdl::Draw => keep
            .iter()
            .min_by_key(|each| holding(tables, position, each.action)),
    };
    best.map(|each| each.action)
}

/// Returns how many answers hold the draw after an action.
fn holding(tables: &Tables, position: &Position, action: Action) -> usize {
    let mut next = *position;
    let _ = next.step_unchecked(action);
    let answers = options(tables, &next).unwrap_or_default();
    answers.iter().filter(|each| each.wdl >= Wdl::Draw).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::WdlName;
    use crate::wire::RulesName;

    const RULES: RulesName = RulesName::Olympiad;

    fn chosen(text: &str, seed: u64) -> (Gym, Vec<Exercise>) {
        let gym = Gym::default();
        let drill = Drill::choose(text.parse().unwrap(), seed).unwrap();
        match gym.work(&drill, None) {
            Some(Drilled::Chosen(exercises)) => (gym, exercises),
            other => panic!("{other:?}"),
        }
    }

    fn judged(gym: &Gym, start: &str, plies: &[String]) -> Judgement {
        let line = Line {
            start: start.to_owned(),
            plies: plies.to_vec(),
            rules: RULES,
        };
        match gym.work(&Drill::judge(&line).unwrap(), None) {
            Some(Drilled::Judged(judgement)) => judgement,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_positions_from_easy_to_hard() {
        let (_, exercises) = chosen("KPcn", 1);
        assert_eq!(exercises, chosen("KPcn", 1).1);
        assert_ne!(exercises, chosen("KPcn", 2).1);
        let wins = exercises
            .iter()
            .filter(|each| each.goal == ExerciseGoal::Win);
        assert_eq!(wins.clone().count(), WINS);
        assert_eq!(exercises.len(), WINS + DRAWS);
        let difficulties: Vec<u32> = exercises.iter().map(|each| each.difficulty).collect();
        assert!(
            difficulties.is_sorted() && difficulties[0] <= 2,
            "{difficulties:?}"
        );
        assert_eq!(difficulties.last(), Some(&10));
        for each in wins {
            assert_eq!(each.line.len() as u32, each.plies.unwrap(), "{each:?}");
        }
    }

    /// A folder with one file of lessons.
    #[derive(Debug)]
    struct Taught(&'static str);

    impl TableFolder for Taught {
        fn material(&self, _: &Material) -> Option<crate::wire::MaterialView> {
            None
        }

        fn lessons(&self, _: &Material) -> Option<String> {
            Some(self.0.to_owned())
        }
    }

    #[test]
    fn the_positions_of_lessons_are_asked_where_there_are_any() {
        let drill = Drill::choose("KPcn".parse().unwrap(), 1).unwrap();
        let asked = |text| match Gym::default().work(&drill, Some(&Taught(text))) {
            Some(Drilled::Chosen(exercises)) => exercises,
            other => panic!("{other:?}"),
        };
        let drawn = chosen("KPcn", 1).1;
        let [win, draw] = [&drawn[9], drawn.last().unwrap()];
        let lessons = format!(
            r#"[{{"position":"{}","side":"red","goal":"win","line":[],"refutations":[],"idea":"."}},
                {{"position":"4/4/4/4/4/4/4/Kg2 r - 0 0"}}, {{"position":"{}"}}, {{"position":"?"}}]"#,
            draw.position, win.position
        );
        let found = asked(Box::leak(lessons.into_boxed_str()));
        let positions: Vec<&String> = found.iter().map(|each| &each.position).collect();
        assert_eq!(
            positions,
            [&win.position, &draw.position],
            "the easier one first"
        );
        assert_eq!((found[0].goal, &found[0].line), (win.goal, &win.line));
        for useless in ["", "[]", r#"[{"position":"4/4/4/4/4/4/4/Kg2 r - 0 0"}]"#] {
            assert_eq!(asked(useless), drawn, "{useless}");
        }
    }

    #[test]
    fn an_ending_with_lessons_asks_them_with_what_they_teach() {
        let (_, exercises) = chosen("GGk", 1);
        let own = lessons::own_of(&"GGk".parse().unwrap());
        assert_eq!(exercises.len(), own.len());
        for each in &exercises {
            let lesson = own.iter().find(|own| own.position == each.position);
            let lesson = lesson.expect("one of the lessons");
            assert_eq!(Some(each.goal), lesson.goal);
            let told = each.lesson.as_ref().unwrap();
            assert_eq!((&told.idea, &told.line), (&lesson.idea, &lesson.line));
            assert_eq!(told.refutations, lesson.refutations);
            if each.goal == ExerciseGoal::Win {
                assert_eq!(each.plies, Some(told.line.len() as u32), "the shortest way");
            }
        }
        let drill = Drill::choose("GGk".parse().unwrap(), 1).unwrap();
        let only = format!(r#"[{{"position":"{}"}}]"#, exercises[2].position);
        let folder = Taught(Box::leak(only.into_boxed_str()));
        match Gym::default().work(&drill, Some(&folder)) {
            Some(Drilled::Chosen(found)) => {
                assert_eq!(found.len(), 1, "a folder's own come first");
                assert_eq!(found[0].lesson, None, "it teaches nothing");
            }
            other => panic!("{other:?}"),
        }
        assert!(chosen("KPcn", 1).1.iter().all(|each| each.lesson.is_none()));
    }

    #[test]
    fn whoever_plays_best_wins_in_the_plies_that_were_told() {
        let (gym, exercises) = chosen("KPcn", 1);
        let win = exercises
            .iter()
            .rev()
            .find(|each| each.goal == ExerciseGoal::Win)
            .unwrap();
        let mut plies: Vec<String> = Vec::new();
        let mut best = win.line[0].clone();
        loop {
            plies.push(best);
            let judgement = judged(&gym, &win.position, &plies);
            let left = win.plies.unwrap() - plies.len() as u32;
            assert_eq!(judgement.before.wdl, WdlName::Win);
            assert_eq!(judgement.after.dtw.map(u32::from), Some(left));
            let Some(reply) = judgement.reply else {
                break;
            };
            plies.push(reply.to_string());
            let game = game_of(&Line {
                start: win.position.clone(),
                plies: plies.clone(),
                rules: RULES,
            });
            let position = *game.unwrap().position();
            let tables = gym.solved(&"KPcn".parse().unwrap()).unwrap();
            best = best_of(&tables, &position).to_string();
        }
        assert_eq!(plies.len() as u32, win.plies.unwrap());
    }

    fn best_of(tables: &Tables, position: &Position) -> Action {
        best(&options(tables, position).unwrap(), Wdl::Win)[0]
    }

    #[test]
    fn an_action_that_lets_go_is_told_at_once_and_punished() {
        let (gym, exercises) = chosen("KPcn", 1);
        let mut told = [0; 2];
        for each in &exercises {
            let start: Position = each.position.parse().unwrap();
            for action in start.actions() {
                let judgement = judged(&gym, &each.position, &[action.to_string()]);
                let kept = judgement.after.wdl == judgement.before.wdl;
                told[usize::from(kept)] += 1;
                if !kept {
                    assert!(!judgement.best.contains(&action), "{each:?} {action}");
                }
                if judgement.after.wdl == WdlName::Loss {
                    assert!(judgement.reply.is_some());
                }
            }
        }
        assert!(told[0] > 0 && told[1] > 0, "{told:?}");
    }

    #[test]
    fn what_cannot_be_practised_is_refused_in_words() {
        let refused = |text: &str| Drill::choose(text.parse().unwrap(), 1).unwrap_err();
        assert!(refused("KPPkr").message.contains("5 pieces"));
        let line = |start: &str, plies: &[&str]| Line {
            start: start.to_owned(),
            plies: plies.iter().map(|&ply| ply.to_owned()).collect(),
            rules: RULES,
        };
        let judge = |line: Line| Drill::judge(&line).unwrap_err().message;
        assert!(judge(line("4/4/4/4/4/4/4/Kg2 r - 0 0", &[])).contains("without plies"));
        assert!(judge(line("start", &["a1(K)"])).contains("face down"));
    }
}
