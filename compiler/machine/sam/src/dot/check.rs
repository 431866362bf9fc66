//! Whether the blocks fit the tensors: what is scanned and written is stored that way.

use std::collections::{HashMap, HashSet};

use comet_diag::{Diagnostic, Span};

use super::block::DotBlocks;
use super::network::{DotNode, Network};
use crate::graph::{BlockKind, Dropped, GraphLevel, StreamKind, TensorFormat};

pub(crate) fn check(
    network: &Network,
    blocks: &DotBlocks,
    tensors: &[TensorFormat],
) -> Result<(), Diagnostic> {
    let scanned: HashSet<&str> = blocks.blocks.iter().filter_map(|block| scanned(&block.kind)).collect();
    let checker = Checker { network, tensors, operands: names(&tensors[1..]), result: &tensors[0], scanned };
    for (kind, node) in blocks.iter(network) {
        checker.tensor(kind, node)?;
        checker.indices(kind, node)?;
    }
    checker.result_is_written(blocks)?;
    checker.operands_are_read(blocks)
}

fn scanned(kind: &BlockKind) -> Option<&str> {
    if let BlockKind::Scanner(scanner) = kind { Some(&scanner.index) } else { None }
}

fn names(tensors: &[TensorFormat]) -> HashMap<&str, &TensorFormat> {
    tensors.iter().map(|tensor| (tensor.name.as_str(), tensor)).collect()
}

struct Checker<'all> {
    network: &'all Network,
    tensors: &'all [TensorFormat],
    operands: HashMap<&'all str, &'all TensorFormat>,
    result: &'all TensorFormat,
    scanned: HashSet<&'all str>,
}

impl Checker<'_> {
    fn tensor(&self, kind: &BlockKind, node: &DotNode) -> Result<(), Diagnostic> {
        match kind {
            BlockKind::Scanner(scanner) => {
                let tensor = self.operand(&scanner.tensor, node)?;
                self.level(tensor, scanner.mode, scanner.level, node)?;
                if scanner.root { first_level(tensor, scanner.mode, node) } else { Ok(()) }
            }
            BlockKind::Repeat(repeat) if repeat.carries == StreamKind::Ref => {
                self.operand(&repeat.tensor, node).map(drop)
            }
            BlockKind::Array { tensor, .. } => self.operand(tensor, node).map(drop),
            BlockKind::Fetch(fetch) => {
                let tensor = self.operand(&fetch.tensor, node)?;
                self.position(tensor, fetch.mode, node).map(drop)
            }
            BlockKind::Locate(locate) => {
                let tensor = if locate.tensor == self.result.name {
                    self.result
                } else {
                    self.operand(&locate.tensor, node)?
                };
                self.level(tensor, locate.mode, locate.level, node)?;
                if locate.root { first_level(tensor, locate.mode, node) } else { Ok(()) }
            }
            BlockKind::WriteLevel(write) => {
                self.is_result(&write.tensor, node)?;
                self.level(self.result, write.mode, write.level, node)
            }
            BlockKind::WriteValues(write) => self.is_result(&write.tensor, node),
            _ => Ok(()),
        }
    }

    fn operand(&self, name: &str, node: &DotNode) -> Result<&TensorFormat, Diagnostic> {
        self.operands.get(name).copied().ok_or_else(|| {
            let names: Vec<String> =
                self.tensors[1..].iter().map(|tensor| format!("`{}`", tensor.name)).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            self.error(node, "tensor", format!("`{name}` is no operand of this graph"))
                .label(format!("operands: {names}"))
                .hint("the graph's comment names the result, then the operands with their formats")
        })
    }

    fn is_result(&self, name: &str, node: &DotNode) -> Result<(), Diagnostic> {
        if name == self.result.name {
            return Ok(());
        }
        let message = format!("`{name}` is written, expected the result, `{}`", self.result.name);
        Err(self
            .error(node, "tensor", message)
            .hint("the first tensor of the graph's comment is the only one that is written"))
    }

    fn level(
        &self,
        tensor: &TensorFormat,
        mode: usize,
        level: GraphLevel,
        node: &DotNode,
    ) -> Result<(), Diagnostic> {
        let hint = "the graph's comment and the nodes must agree on how tensors are stored";
        let name = &tensor.name;
        let expected = tensor.levels[self.position(tensor, mode, node)?];
        if expected == level {
            return Ok(());
        }
        let message = format!("mode {mode} of `{name}` is {}, expected {}", level.name(), expected.name());
        Err(self.error(node, "format", message).hint(hint))
    }

    fn position(&self, tensor: &TensorFormat, mode: usize, node: &DotNode) -> Result<usize, Diagnostic> {
        tensor.order.iter().position(|stored| *stored == mode).ok_or_else(|| {
            let message = format!("`{}` has no mode {mode}, but {} in all", tensor.name, tensor.order.len());
            self.error(node, "mode", message)
                .hint("the graph's comment and the nodes must agree on how tensors are stored")
        })
    }

    fn indices(&self, kind: &BlockKind, node: &DotNode) -> Result<(), Diagnostic> {
        for (attribute, index) in indices(kind) {
            if !self.scanned.contains(index) {
                let message = format!("nothing scans the index variable `{index}`");
                return Err(self
                    .error(node, &attribute, message)
                    .hint("correct the name, or add a `fiberlookup` of this index"));
            }
        }
        Ok(())
    }

    fn result_is_written(&self, blocks: &DotBlocks) -> Result<(), Diagnostic> {
        let mut writers: HashMap<Option<usize>, Span> = HashMap::new();
        for (kind, node) in blocks.iter(self.network) {
            let mode = match kind {
                BlockKind::WriteLevel(write) => Some(write.mode),
                BlockKind::Locate(locate) if locate.tensor == self.result.name => Some(locate.mode),
                BlockKind::WriteValues(_) => None,
                _ => continue,
            };
            if let Some(other) = writers.insert(mode, node.id.span) {
                let message = format!("two blocks write {}, expected one", self.part(mode));
                return Err(Diagnostic::error(node.id.span, message)
                    .also(other, "the other one")
                    .hint("leave one of them out"));
            }
        }
        let mut parts = self.result.order.iter().map(|&mode| Some(mode)).chain([None]);
        parts.find(|part| !writers.contains_key(part)).map_or(Ok(()), |part| {
            let message = format!("nothing writes {}", self.part(part));
            let hint = "the result has a `fiberwrite` for each level and one with `mode=vals`";
            Err(Diagnostic::error(self.network.keyword, message).hint(hint))
        })
    }

    /// The formats stand in the comment in the order of the tensors.
    fn operands_are_read(&self, blocks: &DotBlocks) -> Result<(), Diagnostic> {
        let read: HashSet<&str> = blocks.blocks.iter().filter_map(|block| read(&block.kind)).collect();
        let Some(comment) = &self.network.comment else { return Ok(()) };
        let operands = self.tensors.iter().zip(comment.split(',')).skip(1);
        let unread = operands.into_iter().find(|(tensor, _)| !read.contains(tensor.name.as_str()));
        unread.map_or(Ok(()), |(tensor, (_, span))| {
            let (verb, block) = if tensor.levels.is_empty() {
                ("loads", "an `arrayvals`")
            } else {
                ("scans", "a `fiberlookup`")
            };
            let message = format!("nothing {verb} the operand `{}`", tensor.name);
            let hint = format!("leave it out of the graph's comment, or add {block} of it");
            Err(Diagnostic::error(span, message).hint(hint))
        })
    }

    fn part(&self, mode: Option<usize>) -> String {
        let name = &self.result.name;
        mode.map_or_else(|| format!("the values of `{name}`"), |mode| format!("mode {mode} of `{name}`"))
    }

    /// At an attribute, with the graph's comment as the other place.
    fn error(&self, node: &DotNode, attribute: &str, message: String) -> Diagnostic {
        let span = node.attributes.get(attribute).map_or(node.id.span, |value| value.span);
        let error = Diagnostic::error(span, message);
        match &self.network.comment {
            Some(comment) if attribute != "index" => error.also(comment.span, "how tensors are stored"),
            _ => error,
        }
    }
}

fn read(kind: &BlockKind) -> Option<&str> {
    match kind {
        BlockKind::Scanner(scanner) => Some(&scanner.tensor),
        BlockKind::Locate(locate) => Some(&locate.tensor),
        BlockKind::Array { tensor, .. } => Some(tensor),
        _ => None,
    }
}

/// Only the scanner of a tensor's first level can begin with the root.
fn first_level(tensor: &TensorFormat, mode: usize, node: &DotNode) -> Result<(), Diagnostic> {
    if tensor.order.first() == Some(&mode) {
        return Ok(());
    }
    let (name, id) = (&tensor.name, &node.id.value);
    let Some(said) = node.attributes.get("root") else {
        let message =
            format!("no references enter `{id}`, and mode {mode} is not the first level of `{name}`");
        let hint = format!("add an edge `… -> {id} [type=\"ref\"]` with those of the level before it");
        return Err(Diagnostic::error(node.id.span, message).hint(hint));
    };
    let message = format!("mode {mode} is not the first level of `{name}`, expected `root=\"false\"`");
    Err(Diagnostic::error(said.span, message).hint("its references come from the level before it"))
}

/// The index variables of a block that come from elsewhere, with the attributes that name them.
fn indices(kind: &BlockKind) -> Vec<(String, &str)> {
    match kind {
        BlockKind::Repeat(repeat) => vec![("index".to_owned(), &repeat.index)],
        BlockKind::RepeatSignal { index } => vec![("index".to_owned(), index)],
        BlockKind::Join(join) => vec![("index".to_owned(), &join.index)],
        BlockKind::Locate(locate) => vec![("index".to_owned(), &locate.index)],
        BlockKind::ToWords(words) => vec![("index".to_owned(), &words.index)],
        BlockKind::Parallelize(parallelize) => vec![("index".to_owned(), &parallelize.index)],
        BlockKind::Serialize(serialize) => vec![("index".to_owned(), &serialize.index)],
        BlockKind::WriteLevel(write) => vec![("index".to_owned(), &write.index)],
        BlockKind::Hold { outer, inner } | BlockKind::Drop { outer, inner, what: Dropped::EmptyFibers } => {
            vec![("outer".to_owned(), outer), ("inner".to_owned(), inner)]
        }
        BlockKind::Drop { outer, .. } => vec![("outer".to_owned(), outer)],
        BlockKind::Accumulate(accumulate) => accumulate
            .indices
            .iter()
            .enumerate()
            .map(|(n, index)| (format!("in{n}"), index.as_str()))
            .collect(),
        _ => Vec::new(),
    }
}
