//! Tiled tensors as files: figure 2 of d2t2.txt, with the indices of tiles in front of those inside of them;
//! of packed tiles (section 6.7), those of the small tiles between them. A file `tiles.json` beside them says
//! what they are.

mod cut;
mod levels;

pub(crate) use levels::apply_levels;

use self::cut::OperandTiles;
use super::json::sizes;
use super::report::ComparedSchemes;
use crate::command::output;
use crate::failure::{Failure, Result};
use comet_format::{Format, ValueType};
use comet_runtime::error::reason;
use comet_runtime::values::ValueColumn;
use comet_runtime::write::write_commented;
use comet_runtime::{CoordinateTensor, pack};
use comet_tiling::Var;
use itertools::Itertools as _;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What says which files there are.
const CONTENTS: &str = "tiles.json";

/// Writes what the statements read in the given tiles, or else the chosen ones: `A.tns` for `A[i,k]` has the
/// coordinates of `A[i',k',i,k]` and the values, in packed tiles those of `A[i'',k'',i',k',i,k]`, behind a
/// comment that says so; and `tiles.json`. Returns the files.
pub(crate) fn apply(folder: &Path, compared: &[ComparedSchemes]) -> Result<Vec<PathBuf>> {
    create(folder)?;
    let (mut names, mut written) = (Vec::new(), Vec::new());
    let mut statements = Vec::new();
    for own in compared {
        let cuts = OperandTiles::all(own);
        let mut operands = Vec::new();
        for (access, entries) in own.entries.iter().enumerate() {
            let Some((entries, vars)) = entries else { continue };
            let tensor = &own.statement.accesses[access].name;
            let indices = vars.iter().copied().unique().collect::<Vec<_>>();
            let tiled = tiled(entries, vars, &indices, &cuts);
            let packed = pack(&tiled, &Format::csf(tiled.rank()).of(ValueType::F64))?;
            let name = format!("{}.tns", free(tensor, &mut names));
            let path = folder.join(&name);
            let columns = columns(own, &indices, cuts.len());
            write_commented(&packed, &path, &comment(own, (tensor, &indices), &cuts, &columns))?;
            operands.push(json!({
                "access": indexed(own, tensor, &indices),
                "columns": columns,
                "tiles": packed.levels[..indices.len()].last().map_or(0, |level| level.crd.len()),
                "entries": packed.values.len(),
                "files": [name],
            }));
            written.push(path);
        }
        statements.push(contents(own, &cuts, operands));
    }
    written.push(write_contents(folder, &statements)?);
    Ok(written)
}

fn create(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::file("create the folder", folder, reason(&error)))
}

/// Notes on operands that no file has, since the program computes their values.
pub(crate) fn left_out(compared: &[ComparedSchemes]) -> Vec<String> {
    let of = |own: &ComparedSchemes, name: String| {
        format!(
            "note: `{name}` of `{}` is in no file of tiles, since the program computes its values; write it with \
             `comet_write`, and read that in a program of its own",
            own.text
        )
    };
    compared.iter().flat_map(|own| own.computed().into_iter().map(move |name| of(own, name))).collect()
}

/// What `tiles.json` has of a statement: how far its tiles reach along each variable, the largest first, and
/// the operands that it has no files of.
fn contents(own: &ComparedSchemes, cuts: &[OperandTiles<'_>], operands: Vec<Value>) -> Value {
    let mut report = json!({
        "statement": own.text,
        "order": own.statement.names(),
        "extents": sizes(own, &own.statement.whole()),
        "tiles": cuts[0].json(own),
        "operands": operands,
    });
    if !own.computed().is_empty() {
        report["computed"] = json!(own.computed());
    }
    if let Some(small) = cuts.get(1) {
        report["small"] = small.json(own);
    }
    report
}

fn write_contents(folder: &Path, statements: &[Value]) -> Result<PathBuf> {
    let path = folder.join(CONTENTS);
    output::write_json(&path, &json!({ "statements": statements }))?;
    Ok(path)
}

/// The lines in front of the entries, which say how these are to be read.
fn comment(
    own: &ComparedSchemes,
    (tensor, indices): (&str, &[Var]),
    cuts: &[OperandTiles<'_>],
    columns: &[String],
) -> Vec<String> {
    let name = |var: Var| own.statement.name(var);
    let listed =
        |of: &dyn Fn(Var) -> String| indices.iter().map(|&var| of(var)).collect::<Vec<_>>().join(", ");
    let extents = listed(&|var| format!("{}: {}", name(var), own.statement.extent(var)));
    let reached = |cut: &OperandTiles<'_>| listed(&|var| format!("{}: {}", name(var), cut.text(var)));
    let sizes: Vec<String> = cuts.iter().map(reached).collect();
    let place = |var: Var| {
        let outer = cuts.iter().enumerate().map(|(part, cut)| {
            let number = format!("{}{}", name(var), "'".repeat(cuts.len() - part));
            format!("{} + ", cut.begin_text(var, &number))
        });
        format!("{}{}", outer.collect::<String>(), name(var))
    };
    vec![
        format!("{} of {}", indexed(own, tensor, indices), own.text),
        format!("extents: {extents}"),
        format!("tiles: {}", sizes.join("; small tiles in them: ")),
        format!("columns: {}, value; all numbers begin with 1", columns.join(", ")),
        format!("coordinates in the tensor: {}", listed(&place)),
    ]
}

/// `i'`, `k'`, `i`, `k`: the numbers of tiles have a mark for each cut inside of them.
fn columns(own: &ComparedSchemes, indices: &[Var], cuts: usize) -> Vec<String> {
    let marks = (0..=cuts).rev().map(|marks| "'".repeat(marks));
    marks
        .flat_map(|mark| indices.iter().map(move |&var| format!("{}{mark}", own.statement.name(var))))
        .collect()
}

/// `A[i,k]`, with the indices as they are written.
fn indexed(own: &ComparedSchemes, tensor: &str, indices: &[Var]) -> String {
    let names: Vec<&str> = indices.iter().map(|&var| own.statement.name(var)).collect();
    format!("{tensor}[{}]", names.join(","))
}

/// A name that no other access has taken: one tensor may be read in several ways.
fn free(name: &str, taken: &mut Vec<String>) -> String {
    let others = (2..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(others);
    let free = names.find(|name| !taken.contains(name)).expect("there are more numbers than accesses");
    taken.push(free.clone());
    free
}
/// The tile of each entry and its place in that, index by index, cut once more for each of the sizes; entries
/// off the diagonal of a repeated index go.
fn tiled(
    entries: &CoordinateTensor,
    vars: &[Var],
    indices: &[Var],
    cuts: &[OperandTiles<'_>],
) -> CoordinateTensor {
    let modes_of = |var: &Var| (0..vars.len()).filter(|&mode| vars[mode] == *var).collect::<Vec<_>>();
    let modes: Vec<Vec<usize>> = indices.iter().map(modes_of).collect();
    let agrees = |place: &usize| {
        modes.iter().all(|modes| {
            modes.iter().all(|&mode| entries.coords[mode][*place] == entries.coords[modes[0]][*place])
        })
    };
    let kept: Vec<usize> = (0..entries.len()).filter(agrees).collect();
    let (mut dims, mut coords) = (Vec::new(), Vec::new());
    for part in 0..=cuts.len() {
        for (modes, &var) in modes.iter().zip(indices) {
            // What is cut here lies in a tile of the cut before; the last part is not cut.
            let inside = |at: i64| part.checked_sub(1).map_or(at, |before| cuts[before].place(var, at));
            let of = |at: i64| cuts.get(part).map_or(at, |cut| cut.number(var, at));
            let extent = entries.dims[modes[0]];
            let length = part.checked_sub(1).map_or(extent, |before| cuts[before].longest(var, extent));
            dims.push(of(length - 1) + 1);
            coords.push(kept.iter().map(|&place| of(inside(entries.coords[modes[0]][place]))).collect());
        }
    }
    CoordinateTensor { dims, coords, values: values(&entries.values, &kept) }
}

fn values(all: &ValueColumn, kept: &[usize]) -> ValueColumn {
    match all {
        ValueColumn::F64(all) => ValueColumn::F64(kept.iter().map(|&place| all[place]).collect()),
        ValueColumn::F32(all) => ValueColumn::F32(kept.iter().map(|&place| all[place]).collect()),
        ValueColumn::I64(all) => ValueColumn::I64(kept.iter().map(|&place| all[place]).collect()),
        ValueColumn::C64(all) => ValueColumn::C64(kept.iter().map(|&place| all[place]).collect()),
        ValueColumn::C128(all) => ValueColumn::C128(kept.iter().map(|&place| all[place]).collect()),
    }
}
