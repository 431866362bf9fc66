//! How tensors are stored: in the levels that are looked up, one behind the other along their references, and
//! in those that are written, the outermost first.

use crate::comal::ComalError;
use crate::graph::sources::Sources;
use crate::graph::{BlockId, BlockKind, Graph, GraphLevel, Port, TensorFormat};
use std::collections::{BTreeMap, HashMap};

/// The mode of a level whose operation does not say which it is: the next one in their order.
pub(super) const UNSTATED: usize = usize::MAX;

/// The levels of a tensor: for each mode how deep it is, and how it is stored.
type Levels = BTreeMap<usize, (usize, GraphLevel)>;

/// The result, and the operands in order of first use.
pub(super) fn of(graph: &mut Graph, depths: &[usize]) -> Result<Vec<TensorFormat>, ComalError> {
    let result = result(graph, depths)?;
    let mut names: Vec<String> = Vec::new();
    let mut levels: HashMap<String, Levels> = HashMap::new();
    let sources = Sources::new(graph);
    for (number, block) in graph.blocks.iter().enumerate() {
        let (name, level) = match &block.kind {
            BlockKind::Scanner(scanner) => (&scanner.tensor, Some((scanner.mode, scanner.level))),
            BlockKind::Locate(locate) => (&locate.tensor, Some((locate.mode, locate.level))),
            BlockKind::Array { tensor, .. } => (tensor, None),
            _ => continue,
        };
        if !names.contains(name) {
            names.push(name.clone());
        }
        let levels = levels.entry(name.clone()).or_default();
        if let Some((mode, level)) = level {
            levels.insert(mode, (depth(graph, &sources, BlockId(number)), level));
        }
    }
    let operands = names.into_iter().map(|name| format(&levels[&name], name.clone()));
    std::iter::once(Ok(result)).chain(operands).collect()
}

/// How many levels of its tensor a block's references come from.
fn depth(graph: &Graph, sources: &Sources<'_>, mut block: BlockId) -> usize {
    for depth in 0..graph.blocks.len() {
        let input = match &graph.blocks[block.0].kind {
            BlockKind::Locate(_) => Port::SECOND,
            _ => Port::FIRST,
        };
        match sources.made_by((block, input)) {
            Some(before) if before != block => block = before,
            _ => return depth,
        }
    }
    0
}

fn format(levels: &Levels, name: String) -> Result<TensorFormat, ComalError> {
    let mut stored: Vec<(usize, usize, GraphLevel)> =
        levels.iter().map(|(mode, (depth, level))| (*depth, *mode, *level)).collect();
    stored.sort_unstable_by_key(|(depth, mode, _)| (*depth, *mode));
    let order: Vec<usize> = stored.iter().map(|(_, mode, _)| *mode).collect();
    if let Some(missing) = (0..order.len()).find(|mode| !order.contains(mode)) {
        let message =
            format!("no operation looks up mode {missing} of `{name}`, which has {} levels", order.len());
        return Err(ComalError::new(message, "look up all levels of a tensor, whose modes count from 0 on"));
    }
    let levels = stored.into_iter().map(|(_, _, level)| level).collect();
    Ok(TensorFormat { name, levels, order, element: super::declare::ELEMENT })
}

/// The tensor that is written, all of whose writers get its name, and modes where they have none.
fn result(graph: &mut Graph, depths: &[usize]) -> Result<TensorFormat, ComalError> {
    let mut writers: Vec<(usize, BlockId)> = Vec::new();
    let mut named: Option<String> = None;
    for (number, block) in graph.blocks.iter().enumerate() {
        let name = match &block.kind {
            BlockKind::WriteLevel(write) => {
                writers.push((depths[number], BlockId(number)));
                &write.tensor
            }
            BlockKind::WriteValues(write) => &write.tensor,
            _ => continue,
        };
        match &named {
            Some(other) if !name.is_empty() && other != name => {
                let message =
                    format!("`{other}` and `{name}` are written, and several results are not supported yet");
                return Err(ComalError::new(message, "write one tensor"));
            }
            None if !name.is_empty() => named = Some(name.clone()),
            _ => {}
        }
    }
    writers.sort_unstable();
    let name = named.unwrap_or_else(|| "X".to_owned());
    let mut levels = Levels::new();
    for (depth, (_, writer)) in writers.into_iter().enumerate() {
        if let BlockKind::WriteLevel(write) = &mut graph.blocks[writer.0].kind {
            write.tensor.clone_from(&name);
            write.mode = if write.mode == UNSTATED { depth } else { write.mode };
            levels.insert(write.mode, (depth, write.level));
        }
    }
    for block in &mut graph.blocks {
        if let BlockKind::WriteValues(write) = &mut block.kind {
            write.tensor.clone_from(&name);
        }
    }
    format(&levels, name)
}
