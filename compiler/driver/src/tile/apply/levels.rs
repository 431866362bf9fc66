//! Tiles as accelerators load them: a file for each tile that is not empty, with the arrays of its levels.

use super::cut::OperandTiles;
use super::{contents, create, free, indexed, tiled, write_contents};
use crate::command::output;
use crate::failure::{Failure, Result};
use crate::tile::report::ComparedSchemes;
use comet_format::{Format, ValueType};
use comet_runtime::tensor::LevelStorage;
use comet_runtime::values::Values;
use comet_runtime::{Tensor, pack};
use comet_tiling::Var;
use itertools::Itertools as _;
use serde_json::{Value, json};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How many files are written at most: more of them take hours, and few file systems like them.
const MOST_FILES: usize = 100_000;

struct TiledOperand<'a> {
    own: &'a ComparedSchemes,
    /// The folder of its files, and the tensor's name.
    name: String,
    tensor: &'a str,
    /// In dataflow order, which is that of the levels.
    indices: Vec<Var>,
    /// Compressed levels over tiles, and below them those inside of a tile.
    packed: Tensor,
}

/// Writes the sparse operands in the given tiles, or else the chosen ones: `A/3_0.json` has the levels of
/// tile (3, 0) of `A`, counted from 0; and `tiles.json`, which it returns.
///
/// # Errors
/// More tiles than files are written, before any is, and a folder or a file that cannot be written.
pub(crate) fn apply_levels(folder: &Path, compared: &[ComparedSchemes]) -> Result<PathBuf> {
    let operands = operands(compared)?;
    let files: usize = operands.iter().map(TiledOperand::tiles).sum();
    if files > MOST_FILES {
        let message = format!(
            "found {files} tiles that are not empty, expected at most {MOST_FILES} to write to files"
        );
        let hint = "a larger `--buffer` makes fewer tiles, and `--apply` writes each operand to one file";
        return Err(Failure::hinted(message, hint));
    }
    create(folder)?;
    let mut statements = Vec::new();
    for own in compared {
        let operands = operands.iter().filter(|operand| std::ptr::eq(operand.own, own));
        let report = operands.map(|operand| operand.write(folder)).collect::<Result<Vec<_>>>()?;
        statements.push(contents(own, &OperandTiles::all(own), report));
    }
    write_contents(folder, &statements)
}

fn operands(compared: &[ComparedSchemes]) -> Result<Vec<TiledOperand<'_>>> {
    let (mut names, mut operands) = (Vec::new(), Vec::new());
    for own in compared {
        for (access, entries) in own.statement.accesses.iter().zip(&own.entries) {
            let Some((entries, vars)) = entries else { continue };
            let mut indices = vars.iter().copied().unique().collect::<Vec<_>>();
            indices.sort_unstable();
            let tiled = tiled(entries, vars, &indices, &OperandTiles::all(own));
            let packed = pack(&tiled, &Format::csf(tiled.rank()).of(ValueType::F64))?;
            let name = free(&access.name, &mut names);
            operands.push(TiledOperand { own, name, tensor: &access.name, indices, packed });
        }
    }
    Ok(operands)
}

impl TiledOperand<'_> {
    /// How many are not empty.
    fn tiles(&self) -> usize {
        self.outer().last().map_or(0, |level| level.crd.len())
    }

    fn outer(&self) -> &[LevelStorage] {
        &self.packed.levels[..self.indices.len()]
    }

    fn write(&self, folder: &Path) -> Result<Value> {
        create(&folder.join(&self.name))?;
        let mut files = Vec::new();
        for (node, tile) in self.coordinates().iter().enumerate() {
            let numbers: Vec<String> = tile.iter().map(i64::to_string).collect();
            let name = format!("{}/{}.json", self.name, numbers.join("_"));
            output::write_json(&folder.join(&name), &self.tile(node, tile))?;
            files.push(name);
        }
        let names: Vec<&str> = self.indices.iter().map(|&var| self.own.statement.name(var)).collect();
        Ok(json!({
            "access": indexed(self.own, self.tensor, &self.indices),
            "levels": names,
            "tiles": files.len(),
            "entries": self.packed.values.len(),
            "files": files,
        }))
    }

    /// The numbers of the tiles, in the order of the levels.
    fn coordinates(&self) -> Vec<Vec<i64>> {
        let below = |above: Vec<Vec<i64>>, level: &LevelStorage| {
            let longer = |(node, path): (usize, &Vec<i64>)| {
                let path = path.clone();
                children(level, node..node + 1)
                    .map(move |child| [&path[..], &[level.crd.get(child)]].concat())
                    .collect::<Vec<_>>()
            };
            above.iter().enumerate().flat_map(longer).collect()
        };
        self.outer().iter().fold(vec![Vec::new()], below)
    }

    /// The arrays of a tile: in each level, node n has the children `segments[n]` to `segments[n + 1]`.
    fn tile(&self, node: usize, tile: &[i64]) -> Value {
        let mut nodes = node..node + 1;
        let mut levels = Vec::new();
        for (level, &var) in self.packed.levels[self.indices.len()..].iter().zip(&self.indices) {
            let below = children(level, nodes.clone());
            let segments =
                (nodes.start..=nodes.end).map(|node| level.pos.get(node) - level.pos.get(nodes.start));
            levels.push(json!({
                "index": self.own.statement.name(var),
                "segments": segments.collect::<Vec<_>>(),
                "coordinates": below.clone().map(|node| level.crd.get(node)).collect::<Vec<_>>(),
            }));
            nodes = below;
        }
        let cut = OperandTiles::all(self.own)[0];
        let origin: Vec<i64> =
            tile.iter().zip(&self.indices).map(|(&number, &var)| cut.begin(var, number)).collect();
        let values: Vec<Value> = nodes.map(|place| value(&self.packed.values, place)).collect();
        json!({ "tile": tile, "origin": origin, "levels": levels, "values": values })
    }
}

/// The nodes of a level below some of the one above.
fn children(level: &LevelStorage, nodes: Range<usize>) -> Range<usize> {
    let begin = |node: usize| usize::try_from(level.pos.get(node)).expect("positions are not negative");
    begin(nodes.start)..begin(nodes.end)
}

/// A number, or the name of one that JSON has no number for.
fn value(values: &Values, place: usize) -> Value {
    let Values::F64(values) = values else { unreachable!("tiles are packed as numbers of 64 bits") };
    match values[place] {
        value if value.is_finite() => json!(value),
        value => json!(value.to_string().to_lowercase()),
    }
}
