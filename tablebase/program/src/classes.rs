//! `tablebase classes` and `tablebase class`: material, its graphs and classes.

use std::io::Write;

use anqi_rules::Piece;
use anqi_tablebase::classes::{Fit, Graph, Material, Twins, members};
use anqi_tablebase::numbering::{Census, DenseIndex, census, usual_order};
use serde_json::json;

/// Options of `tablebase classes`.
#[derive(clap::Args)]
pub struct Args {
    /// Only this number of pieces (all from 2 to 8 without it)
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=8))]
    pieces: Option<u8>,
    /// Count the positions of tables with face-down pieces instead, up to five pieces (see `build
    /// --face-down`)
    #[arg(long, conflicts_with = "json")]
    face_down: bool,
    /// Print JSON: a list with an object for each number of pieces, or the object alone with --pieces
    #[arg(long)]
    json: bool,
}

/// Options of `tablebase class`.
#[derive(clap::Args)]
pub struct ClassArgs {
    /// The material set, such as KGgp
    set: Material,
}

/// Prints the counts.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if args.face_down {
        let range = args.pieces.map_or(2..=5, |pieces| pieces..=pieces.min(5));
        return crate::face_down::count(range);
    }
    let mut out = std::io::stdout().lock();
    if !args.json {
        writeln!(
            out,
            "{:>6} {:>7} {:>8} {:>7} {:>6} {:>12} {:>12} {:>12} {:>12} {:>10}",
            "pieces",
            "sets",
            "classes",
            "twins",
            "units",
            "pos. sets",
            "pos. classes",
            "pos. twins",
            "pos. units",
            "reduction"
        )?;
    }
    let range = args.pieces.map_or(2..=8, |pieces| pieces..=pieces);
    for pieces in range {
        let row = census(pieces.into());
        if args.json {
            // One number of pieces is an object; all of them are a list with one object per line.
            let (before, after) = match (args.pieces, pieces) {
                (Some(_), _) => ("", ""),
                (None, 2) => ("[", ","),
                (None, 8) => ("", "]"),
                (None, _) => ("", ","),
            };
            writeln!(out, "{before}{}{after}", as_json(&row))?;
        } else {
            writeln!(
                out,
                "{:>6} {:>7} {:>8} {:>7} {:>6} {:>12} {:>12} {:>12} {:>12} {:>9.1}x",
                row.pieces,
                row.sets,
                row.classes,
                row.twin_classes,
                row.units,
                short(row.set_positions),
                short(row.class_positions),
                short(row.twin_positions),
                short(row.unit_positions),
                reduction(&row)
            )?;
        }
    }
    Ok(())
}

/// The ratio of the positions of all sets to those of the units, mirrors folded.
fn reduction(row: &Census) -> f64 {
    row.set_positions as f64 / (row.unit_positions as f64 / 4.0)
}

fn short(count: u128) -> String {
    if count < 1_000_000_000 {
        count.to_string()
    } else {
        format!("{:.3e}", count as f64)
    }
}

fn as_json(row: &Census) -> serde_json::Value {
    json!({
        "pieces": row.pieces,
        "sets": row.sets,
        "classes": row.classes,
        "twin_classes": row.twin_classes,
        "units": row.units,
        "set_positions": row.set_positions as f64,
        "class_positions": row.class_positions as f64,
        "twin_positions": row.twin_positions as f64,
        "unit_positions": row.unit_positions as f64,
        "reduction": reduction(row),
    })
}

/// Explains one set.
#[expect(clippy::too_many_lines, reason = "prose, printed line by line")]
pub fn explain(args: &ClassArgs) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let set = &args.set;
    let fit = Fit::of(set);
    writeln!(
        out,
        "set {set}: {} placements with either side to move",
        set.placements()
    )?;
    writeln!(out, "\ncapture graph")?;
    let graph = Graph::new(set, Twins::Apart);
    for (i, node) in graph.nodes.iter().enumerate() {
        let letter =
            |node: &anqi_tablebase::classes::Node| Piece::new(node.color, node.roles[0]).letter();
        let prey: String = (0..graph.nodes.len())
            .filter(|&j| graph.takes(i, j))
            .map(|j| letter(&graph.nodes[j]))
            .collect();
        let way = if node.jumps { "jumps on" } else { "takes" };
        let prey = if prey.is_empty() {
            "nothing".to_owned()
        } else {
            prey
        };
        writeln!(out, "  {} x{} {way} {prey}", letter(node), node.count)?;
    }
    writeln!(out, "\ntwins")?;
    let merged = Graph::new(set, Twins::Merged);
    let twins = merged.nodes.iter().filter(|node| node.roles.len() > 1);
    let mut none = true;
    for node in twins {
        let letters: String = node
            .roles
            .iter()
            .map(|&r| Piece::new(node.color, r).letter())
            .collect();
        writeln!(
            out,
            "  {letters} play alike here and count as {} identical pieces",
            node.count
        )?;
        none = false;
    }
    if none {
        writeln!(out, "  none")?;
    }
    let swap = if fit.swapped {
        ", colours exchanged"
    } else {
        ""
    };
    writeln!(out, "\nunit {}{swap}", fit.unit)?;
    for (piece, count) in set.kinds() {
        writeln!(
            out,
            "  {piece} x{count} -> group {}",
            fit.groups[piece.index()]
        )?;
    }
    let index = DenseIndex::new(fit.unit, usual_order(fit.unit));
    writeln!(
        out,
        "  {} positions in its files (mirrors folded, both sides to move)",
        2 * index.len()
    )?;
    let like = members(merged.code, set.len(), Twins::Merged);
    let names: Vec<String> = like.iter().map(ToString::to_string).collect();
    writeln!(
        out,
        "\n{} sets play alike (colours not exchanged): {}",
        names.len(),
        names.join(" ")
    )?;
    writeln!(out, "\nafter a capture")?;
    for (piece, _) in set.kinds() {
        let rest = set.without(piece);
        if rest.side(piece.color()) == 0 {
            writeln!(out, "  {piece} taken: the game is over")?;
        } else {
            let fit = Fit::of(&rest);
            let swap = if fit.swapped {
                ", colours exchanged"
            } else {
                ""
            };
            writeln!(out, "  {piece} taken: {rest}, unit {}{swap}", fit.unit)?;
        }
    }
    Ok(())
}
