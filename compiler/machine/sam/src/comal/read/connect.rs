//! Streams are followed from what reads them to what they come from.

use super::{ComalReader, ComalSource, End, Key};
use crate::comal::ComalError;
use crate::graph::order::topological;
use crate::graph::{BlockId, BlockKind, Port, StreamKind};
use std::collections::HashMap;

impl ComalReader {
    pub(super) fn connect(&mut self) -> Result<(), ComalError> {
        for (to, key) in std::mem::take(&mut self.wanted) {
            match self.resolve(key, to.0)? {
                Some(from) => {
                    self.sources.insert(to, from);
                }
                None => self.begin_at_root(to)?,
            }
        }
        Ok(())
    }

    /// Refuses streams that go around in a circle, which no graph of Comal has: what follows streams back
    /// ends.
    pub(super) fn check_circles(&self) -> Result<(), ComalError> {
        let repeated = self.repeated.iter().map(|(repeat, over)| (*repeat, *over));
        let merged = self.merged.iter().flat_map(|merge| merge.inputs.iter().map(|key| (merge.block, *key)));
        let keyed = repeated
            .chain(merged)
            .filter_map(|(block, key)| Some((self.resolve(key, block).ok()??.0.0, block.0)));
        let connected = self.sources.iter().map(|(to, from)| (from.0.0, to.0.0));
        let order = topological(self.kinds.len(), keyed.chain(connected));
        match (0..self.kinds.len()).find(|block| !order.contains(block)) {
            Some(block) => {
                let message = format!("streams go around in a circle at {}", self.name(BlockId(block)));
                Err(ComalError::new(message, "correct the numbers of the streams"))
            }
            None => Ok(()),
        }
    }

    /// The output that a stream comes from; nothing if that is the root of a tensor.
    pub(super) fn resolve(&self, key: Key, reader: BlockId) -> Result<Option<End>, ComalError> {
        let mut at = key;
        // A chain of copies is not longer than there are streams.
        for _ in 0..=self.produced.len() {
            match self.produced.get(&at) {
                Some(ComalSource::Root) => return Ok(None),
                Some(ComalSource::Output(from)) => return Ok(Some(*from)),
                Some(ComalSource::Copy(other)) => at = *other,
                None => break,
            }
        }
        let ((kind, id), reader) = (key, self.name(reader));
        let message = format!("{reader} reads {} stream {id}, which no operation writes", kind.name());
        Err(ComalError::new(message, "number the output of an operation so, or correct the number"))
    }

    fn begin_at_root(&mut self, (block, port): End) -> Result<(), ComalError> {
        let root = match &mut self.kinds[block.0] {
            BlockKind::Scanner(scanner) => Some(&mut scanner.root),
            BlockKind::Repeat(repeat) => Some(&mut repeat.root),
            BlockKind::Array { root, .. } => Some(root),
            _ => None,
        };
        match root.filter(|_| port == Port::FIRST) {
            Some(root) => *root = true,
            None => {
                let message = format!("{} reads the root of a tensor", self.name(block));
                return Err(ComalError::new(message, "roots are read by lookups, repeaters and arrays"));
            }
        }
        Ok(())
    }

    /// Connects repeaters with their signals: one block makes those of the same coordinates.
    pub(super) fn signal(&mut self) -> Result<(), ComalError> {
        let mut made: HashMap<End, BlockId> = HashMap::new();
        for (repeat, over) in self.repeated.clone() {
            if let Some(ComalSource::Output(signals)) = self.produced.get(&(StreamKind::Repsig, over.1))
                && !self.produced.contains_key(&over)
            {
                self.sources.insert((repeat, Port::SECOND), *signals);
                continue;
            }
            let over = self.resolve(over, repeat)?.and_then(|over| self.coordinates(over));
            let Some(coordinates) = over else {
                let message = format!("{} repeats over a stream with no coordinates", self.name(repeat));
                return Err(ComalError::new(
                    message,
                    "repeat over references or values of a lookup or a joiner",
                ));
            };
            let BlockKind::Repeat(repeater) = &self.kinds[repeat.0] else { continue };
            let (index, operation) = (repeater.index.clone(), self.operations[repeat.0]);
            let signals = *made
                .entry(coordinates)
                .or_insert_with(|| self.block(operation, BlockKind::RepeatSignal { index }));
            self.sources.insert((signals, Port::FIRST), coordinates);
            self.sources.insert((repeat, Port::SECOND), (signals, Port::FIRST));
        }
        Ok(())
    }

    /// The coordinates that references or values go with, a token for each.
    pub(super) fn coordinates(&self, (block, port): End) -> Option<End> {
        let input = |port: Port| self.sources.get(&(block, port)).copied();
        match &self.kinds[block.0] {
            kind if kind.outputs()[port.0] == StreamKind::Crd => Some((block, port)),
            BlockKind::Scanner(_) | BlockKind::Join(_) | BlockKind::Locate(_) => Some((block, Port::FIRST)),
            BlockKind::Accumulate(_) => Some((block, Port::FIRST)),
            BlockKind::Repeat(_) => {
                let (_, over) = self.repeated.iter().find(|(repeat, _)| *repeat == block)?;
                self.coordinates(self.resolve(*over, block).ok()??)
            }
            BlockKind::Array { .. } | BlockKind::Alu(_) | BlockKind::Apply(_) => {
                self.coordinates(input(Port::FIRST)?)
            }
            BlockKind::Reduce(_) => self.around(self.coordinates(input(Port::FIRST)?)?),
            BlockKind::Parallelize(_) => {
                let dealt = self.coordinates(input(Port::FIRST)?)?;
                let deals = |id: &usize| {
                    matches!(self.kinds[*id], BlockKind::Parallelize(_))
                        && self.sources.get(&(BlockId(*id), Port::FIRST)) == Some(&dealt)
                };
                let id = (0..self.kinds.len()).find(deals)?;
                Some((BlockId(id), port))
            }
            _ => None,
        }
    }

    pub(super) fn around(&self, (block, port): End) -> Option<End> {
        let input = |port: Port| self.sources.get(&(block, port)).copied();
        match &self.kinds[block.0] {
            BlockKind::Scanner(_) => self.coordinates(input(Port::FIRST)?),
            BlockKind::Join(_) => self.around(input(Port::FIRST)?),
            BlockKind::Drop { .. } if port == Port::SECOND => Some((block, Port::FIRST)),
            BlockKind::Drop { .. } | BlockKind::Locate(_) | BlockKind::Parallelize(_) => {
                self.around(input(Port::FIRST)?)
            }
            BlockKind::Accumulate(accumulate) if port.0 + 1 < accumulate.indices.len() => {
                Some((block, Port(port.0 + 1)))
            }
            BlockKind::Accumulate(_) => self.around(self.around(input(port)?)?),
            _ => None,
        }
    }

    /// How deep the fibers of an output are nested; nothing where streams go around in a circle.
    pub(super) fn depth(&self, end: End) -> Option<usize> {
        self.depth_within(end, self.kinds.len())
    }

    fn depth_within(&self, (block, port): End, left: usize) -> Option<usize> {
        let left = left.checked_sub(1)?;
        let input = |port: Port| match self.sources.get(&(block, port)) {
            Some(from) => self.depth_within(*from, left),
            None => Some(0),
        };
        match &self.kinds[block.0] {
            BlockKind::Scanner(_) => Some(input(Port::FIRST)? + 1),
            BlockKind::Repeat(_) => {
                let (_, over) = self.repeated.iter().find(|(repeat, _)| *repeat == block)?;
                self.depth_within(self.resolve(*over, block).ok()??, left)
            }
            BlockKind::Reduce(_) => input(Port::FIRST)?.checked_sub(1),
            BlockKind::Accumulate(accumulate) => {
                let port = if port.0 == accumulate.indices.len() { Port::FIRST } else { port };
                input(port)?.checked_sub(1)
            }
            BlockKind::Drop { .. } => input(port),
            BlockKind::Hold { .. } => input(Port::SECOND),
            BlockKind::Serialize(serialize) => {
                Some(input(Port::FIRST)? + serialize.carries.map_or(0, |carried| carried.depth))
            }
            _ => input(Port::FIRST),
        }
    }

    /// Finds whose levels locators look in: of the tensor that is read with their references.
    pub(super) fn find_located(&mut self) -> Result<(), ComalError> {
        for block in (0..self.kinds.len()).map(BlockId) {
            if !matches!(self.kinds[block.0], BlockKind::Locate(_)) {
                continue;
            }
            let tensor = self.read_with((block, Port::SECOND), self.kinds.len());
            let tensor = tensor.ok_or_else(|| {
                let message = format!("nothing reads a tensor with the references of {}", self.name(block));
                ComalError::new(message, "a lookup or an array behind it says whose level it looks in")
            })?;
            let modes = self.kinds.iter().filter_map(|kind| match kind {
                BlockKind::Scanner(scanner) if scanner.tensor == tensor => Some(scanner.mode),
                _ => None,
            });
            let modes: Vec<usize> = modes.collect();
            let mode = (0..).find(|mode| !modes.contains(mode)).unwrap_or_default();
            let index = self.sources.get(&(block, Port::FIRST)).and_then(|from| self.index(*from));
            if let BlockKind::Locate(locate) = &mut self.kinds[block.0] {
                (locate.tensor, locate.mode, locate.index) = (tensor, mode, index.unwrap_or_default());
            }
        }
        Ok(())
    }

    fn read_with(&self, from: End, left: usize) -> Option<String> {
        let left = left.checked_sub(1)?;
        let readers = self.sources.iter().filter(|(_, source)| **source == from);
        readers.map(|(to, _)| *to).find_map(|(block, port)| match &self.kinds[block.0] {
            BlockKind::Array { tensor, .. } => Some(tensor.clone()),
            BlockKind::Scanner(scanner) => Some(scanner.tensor.clone()),
            BlockKind::Join(_) => self.read_with((block, Port::joined_ref(port.0 / 2)), left),
            BlockKind::Repeat(_) => self.read_with((block, Port::FIRST), left),
            _ => None,
        })
    }

    pub(super) fn index(&self, (block, port): End) -> Option<String> {
        match &self.kinds[block.0] {
            BlockKind::Scanner(scanner) => Some(scanner.index.clone()),
            BlockKind::Join(join) => Some(join.index.clone()),
            BlockKind::Drop { outer, inner, .. } | BlockKind::Hold { outer, inner } => {
                Some(if port == Port::FIRST { outer.clone() } else { inner.clone() })
            }
            BlockKind::Accumulate(accumulate) => accumulate.indices.get(port.0).cloned(),
            BlockKind::Parallelize(_) | BlockKind::Locate(_) | BlockKind::Serialize(_) => {
                self.index(*self.sources.get(&(block, Port::FIRST))?)
            }
            _ => None,
        }
    }
}
