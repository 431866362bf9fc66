//! Tensors of the tests: dense arrays with what is stored, and their files.

use comet_format::Level;
use comet_spatial::app::mode_of;
use comet_spatial::interpret::Column;
use std::collections::BTreeMap;

/// A tensor with small extents.
#[derive(Clone, Debug)]
pub(crate) struct Tensor {
    pub(crate) name: String,
    pub(crate) dims: Vec<usize>,
    pub(crate) levels: Vec<Level>,
    /// Whether all of it is to be on chip.
    pub(crate) is_resident: bool,
    /// What is stored.
    pub(crate) entries: BTreeMap<Vec<usize>, f64>,
}

impl Tensor {
    /// The value at a point, if one is stored there. Below the last compressed level everything is.
    pub(crate) fn at(&self, point: &[usize]) -> Option<f64> {
        let count = self.levels.iter().rposition(|level| !level.is_full());
        let node: Vec<usize> = self.levels[..count.map_or(0, |last| last + 1)]
            .iter()
            .map(|level| point[mode_of(level)])
            .collect();
        let is_stored = node.is_empty() || self.has_below(&node);
        self.entries.get(point).copied().or(is_stored.then_some(0.0))
    }

    /// Its arrays as files.
    pub(crate) fn write(&self, files: &mut BTreeMap<String, Column>) {
        let mut nodes: Vec<Vec<usize>> = vec![Vec::new()];
        for (number, level) in self.levels.iter().enumerate() {
            let mut inner = Vec::new();
            let (mut pos, mut crd) = (vec![0], Vec::new());
            for node in &nodes {
                for coordinate in 0..self.dims[mode_of(level)] {
                    let mut child = node.clone();
                    child.push(coordinate);
                    if level.is_full() {
                        inner.push(child);
                    } else if self.has_below(&child) {
                        crd.push(coordinate as i64);
                        inner.push(child);
                    }
                }
                pos.push(inner.len() as i64);
            }
            if !level.is_full() {
                files.insert(format!("{}{}_pos.csv", self.name, number + 1), Column::Integers(pos));
                files.insert(format!("{}{}_crd.csv", self.name, number + 1), Column::Integers(crd));
            }
            nodes = inner;
        }
        let values = nodes.iter().map(|node| self.entries.get(&self.point(node)).copied().unwrap_or(0.0));
        files.insert(format!("{}_vals.csv", self.name), Column::Doubles(values.collect()));
        self.write_dims(files);
    }

    pub(crate) fn write_dims(&self, files: &mut BTreeMap<String, Column>) {
        let dims = self.dims.iter().map(|extent| *extent as i64).collect();
        files.insert(format!("{}_dims.csv", self.name), Column::Integers(dims));
    }

    fn has_below(&self, node: &[usize]) -> bool {
        self.entries.keys().any(|point| {
            node.iter().zip(&self.levels).all(|(coordinate, level)| point[mode_of(level)] == *coordinate)
        })
    }

    /// The point of the coordinates of all levels.
    fn point(&self, node: &[usize]) -> Vec<usize> {
        let mut point = vec![0; node.len()];
        for (coordinate, level) in node.iter().zip(&self.levels) {
            point[mode_of(level)] = *coordinate;
        }
        point
    }

    /// What is stored in the files of a result.
    pub(crate) fn read(&self, files: &BTreeMap<String, Column>) -> Result<BTreeMap<Vec<usize>, f64>, String> {
        let file = |array: &str| {
            let name = format!("{}{array}.csv", self.name);
            files.get(&name).cloned().ok_or(format!("no `{name}`"))
        };
        let integers = |array: &str| match file(array)? {
            Column::Integers(numbers) => Ok(numbers.into_iter().map(|number| number as usize).collect()),
            other => Err(format!("{array}: {other:?}")),
        };
        let mut nodes: Vec<Vec<usize>> = vec![Vec::new()];
        for (number, level) in self.levels.iter().enumerate() {
            let mut inner = Vec::new();
            if level.is_full() {
                for node in &nodes {
                    inner.extend(
                        (0..self.dims[mode_of(level)]).map(|coordinate| [&node[..], &[coordinate]].concat()),
                    );
                }
            } else {
                let pos: Vec<usize> = integers(&format!("{}_pos", number + 1))?;
                let crd: Vec<usize> = integers(&format!("{}_crd", number + 1))?;
                if pos.len() != nodes.len() + 1 || pos[0] != 0 || *pos.last().unwrap_or(&0) != crd.len() {
                    return Err(format!("level {}: pos {pos:?}, crd {crd:?}", number + 1));
                }
                for (node, bounds) in nodes.iter().zip(pos.windows(2)) {
                    let segment = crd.get(bounds[0]..bounds[1]).ok_or(format!("pos {pos:?}"))?;
                    if !segment.is_sorted_by(|a, b| a < b) {
                        return Err(format!("level {}: {segment:?} does not rise", number + 1));
                    }
                    inner.extend(segment.iter().map(|coordinate| [&node[..], &[*coordinate]].concat()));
                }
            }
            nodes = inner;
        }
        let values = match file("_vals")? {
            Column::Doubles(values) => values,
            Column::Integers(values) => values.into_iter().map(|value| value as f64).collect(),
            other => return Err(format!("{other:?}")),
        };
        if values.len() != nodes.len() {
            return Err(format!("{} values for {} points", values.len(), nodes.len()));
        }
        Ok(nodes.iter().map(|node| self.point(node)).zip(values).collect())
    }
}
