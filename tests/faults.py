"""Faults with names, each with the test that must notice it; planted.py plants them.

Each stands for a kind of mistake that tests once overlooked. `sound` is an expression that its file holds exactly once.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A fault: what is wrong, where, and which test notices it."""

    name: str
    path: str
    sound: str
    faulty: str
    package: str
    target: str
    test: str


TREE = "engine/search/src/tree"
SOLVE = "tablebase/src/solve"
FOUR = "probe::tables::tests::values_follow_from_what_comes_next_counter_included"
CROWD = "exchanges_and_quiescence_in_a_crowd_equal_the_twins"
EXCHANGE = "tree::exchange::tests::exchanges_are_those_of_real_captures"
TWIN = "the_playing_search_equals_its_twin_near_and_far_from_the_limit"


def search(name, path, sound, faulty, place, test):
    """A fault that a test of the library notices, or one of a module of engine/search/tests/it."""
    if place == "anqi_search":
        return Fault(name, path, sound, faulty, "anqi-search", place, test)
    return Fault(name, path, sound, faulty, "anqi-search", "it", f"{place}::{test}")


def solver(name, path, sound, faulty, test="both_oracles_agree_with_the_blocks_up_to_three_pieces"):
    test = test if "::" in test else f"solve::tests::{test}"
    return Fault(name, f"{SOLVE}/{path}", sound, faulty, "anqi-tablebase", "anqi_tablebase", test)


def match(name, path, sound, faulty, target, test):
    """A fault in a match, which a test of the library notices, or one of the program `selfplay`."""
    package = "anqi-match" if target == "anqi_match" or test.startswith("referee::") else "anqi-selfplay"
    return Fault(name, f"selfplay/match/src/{path}", sound, faulty, package, target, test)


def lab(name, path, sound, faulty, test, target="anqi_lab"):
    package = "anqi-lab" if target == "anqi_lab" else "anqi-selfplay"
    return Fault(name, f"selfplay/lab/src/{path}", sound, faulty, package, target, test)


def app(name, path, sound, faulty, test, target="anqi_app"):
    return Fault(name, f"engine/app/src/{path}", sound, faulty, "anqi-app", target, test)


def analysis(name, path, sound, faulty, test):
    return Fault(name, f"engine/analysis/src/{path}", sound, faulty, "anqi-app", "it", test)


def play(name, path, sound, faulty, package, test):
    target = package.replace("-", "_")
    return Fault(name, f"engine/play/src/{path}", sound, faulty, package, target, test)


def desk(name, path, sound, faulty, test):
    return Fault(name, f"engine/desk/src/{path}", sound, faulty, "anqi-desk", "anqi_desk", test)


def server(name, path, sound, faulty, test, target="serve"):
    return Fault(name, f"engine/server/src/{path}", sound, faulty, "anqi-server", target, test)


SEARCH = [
    search("scheduling delays are not kept back", "engine/search/src/pace.rs",
           "delay.saturating_sub(HARMLESS_DELAY)", "Duration::ZERO", "anqi_search",
           "pace::tests::a_stall_at_the_end_makes_no_answer_late_once_it_has_been_seen"),
    search("the quiet limit is ignored in the tree", f"{TREE}/line.rs",
           "self.rules.quiet_draw(position.quiet_counter()).is_none()", "true", "playing", TWIN),
    search("the key leaves out the counter near the limit", f"{TREE}/line.rs",
           "if counts { left.saturating_add(1) } else { 0 }", "0",
           "playing", "a_table_changes_no_value_near_the_limit"),
    search("contempt has the wrong sign", f"{TREE}/line.rs",
           "position.turn() == self.root_color", "position.turn() != self.root_color", "playing", TWIN),
    search("a pass counts as a proof", f"{TREE}/pruning.rs",
           "value.clamp(-UNPROVEN_BOUND, UNPROVEN_BOUND)", "value",
           "playing", "a_side_that_loses_even_by_passing_may_still_flip"),
    search("an old value hides a repetition at ply 1", f"{TREE}/decision.rs",
           "ply > 1 || !self.line.has_past()", "true",
           "playing", "an_old_value_does_not_hide_that_the_game_has_been_here"),
    search("shallower entries cut off", f"{TREE}/strategy.rs",
           "known >= wanted || bound.abs() > UNPROVEN_BOUND", "true",
           "playing", "a_table_changes_no_value_near_the_limit"),
    search("the tree prefers the slowest table win", "engine/search/src/endgames.rs",
           "TABLE_WIN - plies.min(UNKNOWN_DISTANCE)", "TABLE_WIN - UNKNOWN_DISTANCE + plies.min(UNKNOWN_DISTANCE)",
           "endings", "the_tree_prefers_quick_table_wins_and_slow_table_losses"),
    search("outcomes of flips are valued by the other curve", "engine/search/src/evaluation/flips.rs",
           "-self.curve.estimate(sum, half_sum(self.half))", "-Curve::Ratio.estimate(sum, half_sum(self.half))",
           "anqi_search", "evaluation::flips::tests::an_average_is_that_of_all_outcomes"),
    search("the root prefers the slowest table win", "tablebase/src/probe/rated.rs",
           "self.dtc.map_or(unknown, i32::from)", "-self.dtc.map_or(unknown, i32::from)",
           "endings", "the_root_takes_the_quickest_win_and_the_slowest_loss"),
    search("the plies to the next capture decide, not those to the end", "tablebase/src/probe/rated.rs",
           "self.certain_end()", "None::<u16>",
           "ends", "the_program_comes_nearer_to_the_end_by_one_and_puts_it_off_by_one"),
    Fault("the plies to the end decide although the limit binds", "tablebase/src/probe/to_end.rs",
          "last <= limit.get()", "last <= 2 * limit.get()", "anqi-tablebase", "anqi_tablebase",
          "probe::to_end::tests::a_game_is_in_time_if_its_last_ply_reaches_the_limit_but_not_if_draws_come_first"),
    search("an interrupted iteration is believed", "engine/search/src/thinking.rs",
           "Some(found).filter(|_| merit > alpha)", "Some(found)",
           "playing", "an_interrupted_iteration_is_believed_only_if_it_found_better"),
    search("an action that another thread searches is never searched here", f"{TREE}/decision.rs",
           "put_off.push(placed)", "drop(placed)",
           "anqi_search", "tree::sharing::tests::what_is_put_off_comes_last_and_is_not_lost"),
    search("a bound of the root is offered to other threads as a value", f"{TREE}/root.rs",
           "merit > node.alpha && merit < node.beta", "merit > node.alpha",
           "anqi_search", "tree::sharing::tests::what_one_thread_finds_at_the_root_the_others_take_over"),
    search("what a test promised counts when its value is known, too", f"{TREE}/sharing.rs",
           "found.action != action", "{ let _ = action; true }",
           "anqi_search", "tree::sharing::tests::what_another_thread_tests_counts_until_its_value_is_known"),
    search("windows at the root are of values, not of merits", f"{TREE}/root.rs",
           "node.within(from_merit(node.alpha + 1) - 1, from_merit(node.beta))",
           "node.within(from_merit(node.alpha + 1) - 1, node.beta)",
           "playing", TWIN),
    search("quiescence misses the last capture", f"{TREE}/quiescence.rs",
           "self.ordered_captures(position)",
           "{ let all = self.ordered_captures(position); let most = all.len().saturating_sub(1); "
           "all.into_iter().take(most).collect::<ActionList>() }",
           "playing", CROWD),
    search("an exchange must be taken back even at a loss", f"{TREE}/exchange.rs",
           "gain.max(0)", "gain",
           "anqi_search", "tree::exchange::tests::a_protected_piece_costs_the_attacker"),
    search("cannons are left out of exchanges", f"{TREE}/exchange.rs",
           "jump_squares(self.square, left)", "SquareSet::EMPTY", "anqi_search", EXCHANGE),
    search("a capture of less than the capturer loses", f"{TREE}/exchange.rs",
           "victim < attacker && gain(position, values, capture) < 0", "victim < attacker", "playing", CROWD),
    search("repetition is looked for from two plies back on", f"{TREE}/line.rs",
           "(4..=quiet).step_by(2)", "(6..=quiet).step_by(2)", "playing", TWIN),
    search("values from tables without distances are believed to make progress", "engine/search/src/endgames.rs",
           "rated.dtc.is_some()", "true",
           "endings", "a_win_without_distance_is_told_as_certain_but_not_as_quick"),
    search("all actions are searched, not only those asked for", "engine/search/src/thinking.rs",
           "choosable(task.game, task.among)", "choosable(task.game, None)",
           "root", "only_the_actions_asked_for_are_searched"),
    search("where tables decide, only one line is told", "engine/search/src/thinking.rs",
           "ranked.iter().take(wanted.max(1))", "ranked.iter().take(1)",
           "root", "several_lines_are_told_where_tables_decide"),
]

SOLVER = [
    solver("only one of two mirrored blocks is marked", "moves.rs",
           "even && codes.len() > 1 && self.outer.contains(&2)", "codes.is_empty()",
           "solve::moves::tests::every_block_is_a_source_of_the_blocks_that_its_moves_lead_to"),
    solver("a cannon jumps over nothing", "capture.rs",
           "(way & occupied).count_ones()", "(way & occupied).count_ones().max(1)"),
    solver("the capturing cannon stays where it was", "capture.rs",
           "self.index(outer, prey, t, hunter, set)", "self.index(outer, prey, t, hunter, outer.sets[hunter])", test=FOUR),
    solver("a defence counts if it loses", "passes.rs",
           "CaptureOutcomes::new(views, true)", "CaptureOutcomes::new(views, false)"),
    solver("a side that can only capture counts as stuck", "passes.rs", "stuck.and_not(&armed)", "stuck", test=FOUR),
    solver("a change is not told to the blocks around", "passes.rs",
           "marks[source].store(1, Ordering::Relaxed)", "marks[block].store(1, Ordering::Relaxed)"),
    solver("a block with nothing but captures is not looked at", "passes.rs",
           "Some(&wins[block - first])", "take(&self.fresh[block]).then_some(&wins[block - first])"),
    solver("losses of a round show in the same round", "driver.rs", "!counts", "true"),
    solver("256 plies fit one byte", "driver.rs",
           "plies > u8::MAX.into() && planes.high.is_none()", "plies > 256 && planes.high.is_none()",
           "distances_may_need_a_second_byte"),
    solver("the second byte has seven bits of the first", "distance.rs",
           "note(&mut high[block], fresh, self.plies >> 8)", "note(&mut high[block], fresh, self.plies >> 7)",
           "distances_may_need_a_second_byte"),
    solver("blocks of the other half are not mirrored", "moves.rs",
           "found.add_mirrored(&target[next], symmetry)", "found.add(&target[next])"),
    solver("a pivot's step forgets the other pieces", "moves.rs", "(home + block % stride, 0)", "(home, 0)", test=FOUR),
    solver("a search for moves ends after four blocks", "moves.rs",
           "looked_at % 4 != 0 || !wanted.and_not(&found).is_empty()", "looked_at % 4 != 0", test=FOUR),
    solver("the loss of the last piece wins", "view.rs",
           "if prey.color == winner { 0 } else { !0 }", "if prey.color == winner { !0 } else { 0 }"),
    solver("colours that the smaller class swaps are not swapped", "view.rs",
           "if fit.swapped { !turn } else { turn }", "turn"),
    solver("placements of the other half are not mirrored", "view.rs",
           "mirror(source[place as usize], symmetry)", "source[place as usize]"),
    solver("the slowest winning capture counts", "to_end.rs", "value + 1 < *exit", "value + 1 > *exit"),
    solver("who is stuck without a capture is not lost", "to_end.rs",
           "due_by(&exits[i], round, true)", "due_by(&exits[i], round, false)"),
    solver("the count to the end stops at the first quiet round", "to_end.rs",
           "!found && !self.waits()", "!found"),
    solver("planes on disk are read from their first window", "disk.rs",
           "read_at(&self.file, &mut bytes[..len], (at * C::BYTES) as u64)",
           "read_at(&self.file, &mut bytes[..len], (blocks.start * C::BYTES) as u64)",
           "solve::disk::tests::planes_are_blank_and_keep_only_what_is_to_be_kept"),
    solver("comparisons leave most positions out", "oracle.rs", "1 << (5 * self.pieces.len())", "1 << (5 + self.pieces.len())",
           "a_wrong_value_is_found_by_comparison_and_without_an_oracle"),
    solver("a streamed solution needs hardly any memory", "memory.rs",
           "window * (3 * 128 + distances_read)", "window / (3 * 128 + distances_read)",
           "solve::memory::tests::what_is_held_is_counted"),
]

MATCHES = [
    lab("a network learns by a wrong slope of its curve", "training/curve.rs",
        "missed * steepness(curve, x) / variance(curve, x)", "missed", "training::network::model::tests::slopes_are_those_of_the_loss"),
    lab("the values after a position are taken for its own side's", "training/hindsight.rs",
        "-next.value - now.value", "next.value - now.value", "training::hindsight::tests::values_move_towards_those_after_them"),
    match("outside programs are told the other side's clock", "engines/protocol.rs",
          "self.tell_time(played.color, left)", "self.tell_time(!played.color, left)",
          "outside", "outside_programs::a_program_is_told_the_clock_of_the_side_that_has_moved"),
    match("the clock of a whole game does not run", "clock.rs",
          "self.left.saturating_sub(elapsed)", "self.left",
          "outside", "outside_programs::a_total_runs_out_over_many_moves_of_which_none_is_late"),
    match("nobody is late until they have stalled", "clock.rs",
          "elapsed > self.left + tolerance.margin", "elapsed > self.left + tolerance.margin + tolerance.grace",
          "outside", "outside_programs::a_late_answer_loses_on_time_and_is_not_a_stall"),
    match("contradictory copies of a pair are merged", "store/index.rs",
          "pair.same_games(&records.read(self, second)?)", "true",
          "all", "records_are_checked::contradictory_copies_of_a_pair_are_refused_and_equal_ones_count_once"),
    match("a line without an end is read", "store/reading.rs",
          'read.strip_suffix(b"\\n")', 'Some(read.strip_suffix(b"\\n").unwrap_or(&read[..]))',
          "all", "records_are_checked::lines_without_an_end_are_reported_and_do_not_count"),
    match("a line without an end is kept when a match goes on", "store/writing.rs",
          "complete == content.len()", "true", "all", "same_bytes::half_a_line_is_cut_off_and_played_again"),
    match("the seed that outside programs are told depends on the match seed", "engines/protocol.rs",
          "seed::public_seed(position.key(), position.ply())", "request.seed",
          "all", "secrecy::what_a_program_is_told_does_not_depend_on_the_seed_of_the_match"),
    Fault("outside programs play on deals that can be guessed", "selfplay/program/src/cli/seed.rs",
          "players.iter().any(|player| player.is_outside())", "false", "anqi-selfplay",
          "all", "seeds::an_outside_program_cannot_guess_the_seed_which_is_told_and_deals_the_same_again"),
    lab("levels of inconsistency weigh the same", "materials/resolve.rs", "1 << level", "1",
        "materials::resolve::tests::one_conflict_of_a_high_level_weighs_more_than_several_of_low_ones"),
    lab("a conflict resolved does not diffuse", "materials/resolve.rs", "height(score) != height(self.score(other))", "false",
        "materials::resolve::tests::verified_nodes_do_not_change_and_changes_diffuse"),
    lab("a swapped material is read as it is", "materials/lattice.rs", "TOP_HEIGHT - height", "height",
        "materials::lattice::tests::a_material_and_its_swap_are_one_node"),
    lab("first flips of every piece weigh the same", "first_flip/plan.rs", "role.per_side() as f64 / SET", "1.0 / 7.0",
        "first_flip::raw_values_are_the_scores_of_the_kept_games_weighted_by_the_set", "all"),
    lab("kept games of first flips are believed", "first_flip/journal.rs",
        "check_single(record, luck, !FLIPPER, &deal, &expected)", "Ok::<(), anqi_match::replay::GameFault>(())",
        "first_flip::folders_of_other_runs_and_edited_games_are_refused", "all"),
]

COLUMNS = "columns::tables::every_column_of_matches_games_and_flips_is_what_the_records_say"
SUMS = "columns::reports::every_figure_of_a_report_is_what_the_records_sum_up_to"
LUCK = "columns::reports::the_luck_of_a_report_is_the_mean_of_that_of_its_games"
OWN_TIME = "referee::time_nodes_and_values_are_those_of_the_side_that_moves"


def table(name, sound, faulty, test=COLUMNS, path="export/rows.rs"):
    return match(name, path, sound, faulty, "all", test)


TABLES = [
    table("the luck of the flipper has the wrong sign", "luck_a.map(|luck| sign * luck)", "luck_a.map(|luck| -sign * luck)"),
    table("the points of a game are B's", "record.verdict.half_points(Side::A) as f64 / 2.0",
          "record.verdict.half_points(Side::B) as f64 / 2.0"),
    table("the luck of a game counts a win as a point", "all.iter().sum::<i32>() as f64 / f64::from(WIN) / 2.0",
          "all.iter().sum::<i32>() as f64 / f64::from(WIN)"),
    table("A's nodes stand in both columns", "record.nodes.b", "record.nodes.a"),
    table("A's last value stands in both columns", "record.last_values.b", "record.last_values.a"),
    table("A's time stands in both columns", "timing.thinking_us.b", "timing.thinking_us.a"),
    table("every ply but a capture counts as one", "undo.captured().is_some()", "undo.captured().is_none()"),
    table("every piece has the same chance", "f64::from(hidden.count(piece)) / face_down.max(1) as f64",
          "1.0 / face_down.max(1) as f64"),
    table("a flip has the colour of the other side", "place.record().color(flipper)", "place.record().color(!flipper)"),
    table("B's wins are A's", "game.verdict.winner == Some(Side::B)", "game.verdict.winner == Some(Side::A)"),
    table("faults are not counted", "game.verdict.reason.is_fault()", "false"),
    lab("what a decision gave away has the wrong sign", "decisions.rs", "value - other", "other - value",
        "decisions::tests::the_judge_names_the_capture_that_was_missed_and_what_it_was_worth"),
    lab("the side with more nodes is the other", "growth.rs", "if is_more { 1.0 } else { -1.0 }", "1.0",
        "growth::tests::the_elo_is_that_of_the_side_with_more"),
    lab("the pieces of black are those of red", "training/export.rs", "position.living(Color::Black)", "position.living(Color::Red)",
        "columns::tables::every_column_of_positions_is_what_the_position_says", "all"),
    table("quotes in text are not doubled", r"""text.replace('"', "\"\"")""", "text.to_owned()", path="export/csv.rs"),
    table("A's luck is that of the side that flips", "if flipper == Side::A { 1.0 } else { -1.0 }", "1.0", path="luck/mod.rs"),
    table("luck counts the other side's value", "-i64::from(value(&after))", "i64::from(value(&after))", path="luck/mod.rs"),
    table("every kind of piece weighs the same in luck", "i64::from(count) * worth", "worth", path="luck/mod.rs"),
    table("the luck of a pair is that of two games", "sum as f64 / f64::from(WIN) / 2.0 / 2.0", "sum as f64 / f64::from(WIN) / 2.0",
          LUCK, "luck/pair.rs"),
    table("the coefficient of luck has no prior", "(covariance + PRIOR * PRIOR_WEIGHT) / (self.square + PRIOR_WEIGHT)",
          "covariance / self.square", LUCK, "statistics/adjusted.rs"),
    table("a pair's own luck decides its coefficient", "all.plus(pair, -1.0).coefficient()", "all.coefficient()",
          LUCK, "statistics/adjusted.rs"),
    table("the score of red is that of black", "game.color(side) == Some(Color::Red)", "game.color(side) == Some(Color::Black)",
          SUMS, "summary/tally.rs"),
    table("who was ahead is asked of the other side", "game.last_values[side]", "game.last_values[!side]", SUMS, "summary/tally.rs"),
    table("the starter's moves are those of the other side", "length.div_ceil(2)", "length / 2", SUMS, "record.rs"),
    match("a side's clock runs while the other thinks", "referee.rs",
          "self.clocks[side].spend(taken.elapsed, &self.setup.tolerance)", "self.clocks[!side].spend(taken.elapsed, &self.setup.tolerance)",
          "all", OWN_TIME),
    match("nodes count for the other side", "referee.rs", "self.nodes[side] += answer.nodes", "self.nodes[!side] += answer.nodes",
          "all", "referee::the_value_of_a_last_move_is_its_own_sides"),
    match("a value counts for the other side", "referee.rs", "self.last_values[side] = answer.value",
          "self.last_values[!side] = answer.value", "all", "referee::the_value_of_a_last_move_is_its_own_sides"),
    match("no increment is added", "clock.rs", "self.left.saturating_sub(elapsed) + Duration::from_millis(increment_ms)",
          "self.left.saturating_sub(elapsed)", "anqi_match", "clock::tests::a_total_shrinks_and_grows_by_the_increment"),
]

RULES = [
    Fault("the longest repetition is taken for the shortest", "engine/rules/src/ending.rs",
          "(1..=plies.len() / times).find(|&period| repeats(period))",
          "(1..=plies.len() / times).rev().find(|&period| repeats(period))",
          "anqi-rulebooks", "all", "repetition::of_several_repeated_sequences_the_shortest_counts"),
]

UCI = "session::tests::uci"
APP = [
    app("the clocks that UCI tells are not heard", "session/mod.rs",
        "clock::limit_from(clock, color)", "None::<TimeLimit>", f"{UCI}::uci_clocks_reach_the_player"),
    app("UCI's clock of the other side counts", "session/clock.rs",
        "(clock.left[side]?, clock.increment[side])", "(clock.left[!side]?, clock.increment[!side])",
        f"{UCI}::uci_clocks_reach_the_player"),
    app("searchmoves are not heard", "session/mod.rs",
        "Choosing::new(&game, &request.actions, lines)", "Choosing::new(&game, &[], lines)",
        f"{UCI}::uci_searchmoves_are_the_only_ones_chosen_and_told"),
    app("a player that passes over searchmoves is believed", "session/job.rs",
        "self.choosing.allows(&self.game, choice.action)", "true",
        f"{UCI}::uci_searchmoves_are_the_only_ones_chosen_and_told"),
    app("UCI announces more threads than may be set", "session/uci_options.rs",
        'format!("spin default 1 min 1 max {MOST_THREADS}")', 'format!("spin default 1 min 1 max {}", MOST_THREADS + 1)',
        f"{UCI}::uci_spin_limits_are_the_players_own"),
    app("quit does not wait for an answer on a busy machine", "session/serve.rs",
        "Instant::now() + self.patience", "Instant::now() + self.patience / 20",
        "session::tests::listening::quit_waits_for_a_player_that_is_slow_to_stop"),
    app("an infinite search is answered before stop", "session/dialect.rs",
        "Hold::UntilStop", "Hold::Free",
        "session::tests::pondering::an_infinite_search_that_has_ended_is_answered_after_stop"),
    app("ponderhit starts no clock", "session/mod.rs",
        "thought.after_hit.take().unwrap_or(thought.limits)", "thought.limits",
        "session::tests::pondering::ponderhit_starts_the_clock_with_the_times_of_the_go"),
    app("a line whose board is impossible is left without an action", "session/dialect.rs",
        "diagram?.safest()", "None::<anqi_rules::Action>",
        "session::tests::damaged::impossible_counts_and_strange_letters_are_played_by_geometry"),
    app("one line a position is played by the default rules", "session/dialect.rs",
        "Rules::COURSE", "Rules::default()",
        "session::tests::dialects::lines_are_played_by_the_rules_of_the_course_unless_others_are_chosen"),
    app("an unsaved game is not noted before a turn", "terminal/unsaved.rs",
        "is_lost && self.players.has_human() && self.console.can_ask()", "false",
        "terminal_pty::a_game_is_saved_when_nobody_can_be_asked", "it"),
    app("SIGTERM drops the game", "cli/play/terminal.rs",
        'rescue.save(Path::new(""))', "None::<String>", "terminal_pty::a_game_is_saved_when_nobody_can_be_asked", "it"),
    analysis("a certain win is told as more than a win", "valuation.rs", "Valuation::Win(Some(Distance::ToCapture(plies.into())))",
             "Valuation::Estimate(1.048)", "analyse::values_are_expected_results_or_verdicts"),
]

NETWORK = [
    server("a WebSocket may come from any page", "names.rs", "origin == site.origin()", "true",
           "network::a_websocket_needs_the_cookie_our_host_and_our_origin"),
    server("a WebSocket needs no origin", "access.rs",
           "uri.path() == SOCKET && !headers.contains_key(ORIGIN)", "false",
           "network::a_websocket_needs_the_cookie_our_host_and_our_origin"),
    server("everybody is believed who tells an address", "forwarded.rs",
           "proxied && peer.address.is_loopback()", "true",
           "floods::a_flood_of_requests_is_refused_and_others_are_served"),
    server("a guest may do what the host may", "caller.rs", "self.scope == Scope::Guest", "false",
           "network::an_invitation_opens_its_game_and_makes_nobody_a_host"),
    desk("a task that fails leaves its client waiting", "tasks.rs",
         '''self.send(&ServerMessage::Error {
            code: Code::Internal,
            message: format!("the {what} failed: {why}"),
        })''', "()", "connection::tests::a_task_that_panics_gives_its_client_an_error"),
    desk("a lesson tells what tables deny", "lessons.rs", "is_told && left < value && shown.is_some()", "shown.is_some()",
         "lessons::tests::what_a_lesson_says_is_told_only_if_tables_say_the_same"),
    desk("a lesson that values deny is a puzzle", "puzzles.rs", "is_right.then_some(())?", "let _ = is_right;",
         "puzzles::tests::a_lesson_that_values_contradict_is_no_puzzle"),
    desk("an action that gives the win away solves a lesson", "puzzles.rs", "solution.iter().all(keeps).then_some(())?", "let _ = keeps;",
         "puzzles::tests::a_lesson_that_values_contradict_is_no_puzzle"),
]

TIMING = "room::timing"
PAYS = f"{TIMING}::every_cause_takes_its_time_from_the_right_clock"
SESSION = "session::tests::clocks::thinking_and_time_left_reach_the_right_clock"
VALUES = "analyse::a_flip_is_worth_the_average_of_its_outcomes_and_actions_are_in_the_order_printed"

CLOCKS = [
    desk("an engine's clock pays for the page's pace", "room/engine.rs", "table.clock.hold(now)", "()",
         f"{TIMING}::the_clock_of_an_engine_stands_still_from_its_answer_on"),
    play("a clock that is held goes on", "clock.rs", "self.held.unwrap_or(now)", "now", "anqi-desk", PAYS),
    play("the time is up while a ply waits to be shown", "clock.rs", "self.runs() && self.held.is_none()", "self.runs()",
         "anqi-desk", f"{TIMING}::the_clock_of_an_engine_stands_still_from_its_answer_on"),
    desk("the increment goes to the other side", "room/table.rs", "self.clock.credit(seat)", "self.clock.credit(!seat)", PAYS),
    desk("a dropped search is paid for later", "room/table.rs", "self.clock.forget()", "()", PAYS),
    desk("a pause is paid for", "room/shared.rs", "table.drop_search()", "table.interrupt()",
         f"{TIMING}::a_pause_and_an_empty_room_cost_an_engine_no_time"),
    desk("an empty room is paid for", "room/visits.rs", "table.members.is_empty() && table.search.is_some()", "false",
         f"{TIMING}::a_pause_and_an_empty_room_cost_an_engine_no_time"),
    desk("clocks do not wait for a guest", "room/engine.rs", "table.is_over() || table.paused || waiting",
         "table.is_over() || table.paused", f"{TIMING}::clocks_wait_for_a_guest_and_run_on_when_a_person_leaves"),
    desk("the times of plies taken back are kept", "room/table.rs", "self.ply_ms.pop()", "None::<u64>", PAYS),
    app("both sides pay for a search", "session/mod.rs", "self.clocks.spend(thought.color, thought.elapsed)",
        "self.clocks.spend(None, thought.elapsed)", SESSION),
    app("every search takes time from a clock", "session/mod.rs", "matches!(thought.limits.time, TimeLimit::Total { .. })", "true", SESSION),
    app("the other side pays for a search", "session/clock.rs", "color.is_none_or(|color| color == side)",
        "color.is_none_or(|color| color != side)", SESSION),
    app("time_left is heard for the other side", "session/mod.rs", "self.clocks.left[color] = Some(left)",
        "self.clocks.left[!color] = Some(left)", SESSION),
    app("a new game begins with the clocks of the last", "session/mod.rs",
        "self.clocks.total.map_or_else(Clocks::default, Clocks::both)", "self.clocks", SESSION),
]

AVERAGES = [
    analysis("a flip has a value of its own", "ranking.rs", "preferred(value, searched)", "searched", VALUES),
    Fault("actions stay in the order in which they were searched", "engine/analysis/src/ranking.rs",
          "sort_few_by(&mut rated, |a, b| {\n            b.value.expected().total_cmp(&a.value.expected())\n        })", "()",
          "anqi-analysis", "anqi_analysis",
          "ranking::tests::what_tables_know_of_the_next_position_outweighs_the_order_of_the_search"),
    search("a table's value stands for the outcomes of a flip", f"{TREE}/chance.rs", "is_entered && !self.keeps_outcomes(node)",
           "is_entered", "outcomes", "every_ranked_flip_of_a_finished_iteration_has_its_outcomes"),
    Fault("outcomes that lie nearer leave nothing of their share to the others", f"{TREE}/bounds.rs",
          "room -= outcome.weight * doubt(outcome);", "room -= outcome.weight * share;",
          "anqi-search", "anqi_search", "tree::bounds::tests::a_share_is_what_the_others_leave"),
    search("several lines stay in the order in which they were searched", "engine/search/src/thinking.rs",
           "sort_few_by_key(&mut few, |best| -best.found.value)", "()",
           "outcomes", "outcomes_average_to_the_value_of_their_flip_and_actions_are_in_the_order_of_values"),
]

FAULTS = SEARCH + SOLVER + MATCHES + TABLES + RULES + APP + NETWORK + CLOCKS + AVERAGES
