//! The operation of each kind of block.

use super::GraphEmitter;
use crate::cases::{Case as _, to_reduction};
use crate::element::element_type;
use comet_ir::sam::{self, Fibertree, Stream, Tokens};
use comet_ir::{IrError, Op, Result, Ty, Val};
use comet_sam::graph::{
    Accumulate, BlockId, BlockKind, CoordinateForm, Dropped, FiberNesting, Function, Join, Locate, Merge,
    Port, Repeat, Scanner, Serialize, ToWords, ValuePlacement,
};
use melior::ir::ValueLike;

impl<'c> GraphEmitter<'_, 'c> {
    /// Writes a block whose streams are there. The results of its operation are its outputs.
    pub(super) fn block(&mut self, id: BlockId) -> Result<'c, ()> {
        let block = &self.graph.blocks[id.0];
        let lanes = (block.lanes != 1).then_some(block.lanes as i64);
        let op = self.operation(id, &block.kind, lanes)?;
        let outputs = op.results().into_iter().enumerate();
        self.streams.extend(outputs.map(|(port, value)| ((id, Port(port)), value)));
        Ok(())
    }

    fn operation(&mut self, id: BlockId, kind: &BlockKind, lanes: Option<i64>) -> Result<'c, Op<'c>> {
        let b = self.b;
        Ok(match kind {
            BlockKind::Scanner(scanner) => self.scanner(id, scanner)?.set_lanes(lanes).into(),
            BlockKind::Join(join) if join.how == Merge::Intersect => {
                self.intersect(id, join)?.set_lanes(lanes).into()
            }
            BlockKind::Join(join) => self.union(id, join)?.set_lanes(lanes).into(),
            BlockKind::RepeatSignal { index } => {
                let crd = self.input(id, 0);
                let ty = self.ty(Tokens::Repsig, depth(crd));
                sam::RepeatSignal::build(b, index, crd, ty)?.set_lanes(lanes).into()
            }
            BlockKind::Repeat(repeat) => self.repeat(id, repeat)?.set_lanes(lanes).into(),
            BlockKind::Locate(locate) => self.locate(id, locate)?.set_lanes(lanes).into(),
            BlockKind::Array { tensor, .. } => {
                let references = self.optional_input(id, 0);
                let tensor = self.tensors.tensor(tensor, self.maker(id, 0))?;
                let stored = Fibertree::of_type(tensor.r#type()).expect("a declaration has a tensor");
                let ty = self.ty(Tokens::Val(stored.element), references.map_or(0, depth));
                sam::Array::build(b, tensor, references, ty)?.set_lanes(lanes).into()
            }
            BlockKind::Alu(alu) => {
                let (op, meeting) = (alu.operator.to_dialect(), alu.how.to_dialect());
                let [left, right] = self.two_inputs(id);
                sam::Alu::build(b, op, meeting, left, right)?.set_lanes(lanes).into()
            }
            BlockKind::Apply(apply) => {
                let value = self.input(id, 0);
                let element = element_type(b.context(), apply.function.result(apply.element));
                let ty = self.ty(Tokens::Val(element), depth(value));
                sam::Apply::build(b, self.function(apply.function)?, value, ty)?.set_lanes(lanes).into()
            }
            BlockKind::ToWords(words) => self.words(id, words)?.set_lanes(lanes).into(),
            BlockKind::Parallelize(parallelize) => {
                let elements = self.input(id, 0);
                let types = vec![elements.r#type(); parallelize.factor];
                sam::Parallelize::build(b, &parallelize.index, elements, &types)?.set_lanes(lanes).into()
            }
            BlockKind::Serialize(serialize) => self.serialize(id, serialize)?.set_lanes(lanes).into(),
            BlockKind::Fetch(fetch) => {
                let tensor = self.tensors.tensor(&fetch.tensor, self.maker(id, 0))?;
                let level = self.tensors.number(&fetch.tensor, fetch.mode)?;
                sam::Fetch::build(b, tensor, level, self.input(id, 0))?.set_lanes(lanes).into()
            }
            BlockKind::Mask(mask) => {
                let [value, by] = self.two_inputs(id);
                sam::Mask::build(b, mask.kept.to_dialect(), value, by)?.set_lanes(lanes).into()
            }
            BlockKind::Reduce(reduce) => {
                let values = self.inputs(id, 0..reduce.inputs);
                let around = self.optional_input(id, reduce.inputs);
                let ty = self.with_depth(values[0], depth(values[0]).saturating_sub(1));
                let (reduction, empty) = (to_reduction(reduce.reduction), reduce.empty.to_dialect());
                sam::Reduce::build(b, reduction, &values, empty, around, ty)?.set_lanes(lanes).into()
            }
            BlockKind::Accumulate(accumulate) => self.accumulate(id, accumulate)?.set_lanes(lanes).into(),
            BlockKind::Drop { outer, inner, what } => {
                let dropped = match what {
                    Dropped::EmptyFibers => sam::Dropped::Fibers,
                    Dropped::EmptyFibersOfValues => {
                        return Err(self.not_supported("droppers of fibers of values"));
                    }
                    Dropped::Absent => sam::Dropped::Absent,
                    Dropped::Zeros(_) => sam::Dropped::Zeros,
                };
                let [crd, stream] = self.two_inputs(id);
                sam::Drop::build(b, dropped, outer, inner, crd, stream)?.set_lanes(lanes).into()
            }
            BlockKind::Hold { outer, inner } => {
                let [crd, stream] = self.two_inputs(id);
                sam::Hold::build(b, outer, inner, crd, stream)?.set_lanes(lanes).into()
            }
            BlockKind::WriteLevel(write) => {
                let level = self.tensors.level(&write.tensor, write.mode, write.level)?;
                let result = self.tensors.result();
                let op = sam::WriteLevel::build(b, &write.index, self.input(id, 0), result, level)?;
                op.set_single(write.fibers == FiberNesting::Single).set_lanes(lanes).into()
            }
            BlockKind::WriteValues(write) => {
                let (values, places) = match write.places {
                    ValuePlacement::InOrder => (self.input(id, 0), None),
                    _ => (self.input(id, 1), Some(self.input(id, 0))),
                };
                let fill = to_reduction(write.fill);
                let op = sam::WriteValues::build(b, values, self.tensors.result(), fill, places)?;
                op.set_kept(write.places == ValuePlacement::Kept).set_lanes(lanes).into()
            }
        })
    }

    fn scanner(&mut self, id: BlockId, scanner: &Scanner) -> Result<'c, sam::Scan<'c>> {
        let reference = self.optional_input(id, 0);
        let tensor = self.tensors.tensor(&scanner.tensor, self.maker(id, 0))?;
        self.tensors.belong(id, tensor);
        let depth = reference.map_or(0, depth) + 1;
        let coordinates = scanner.level.width().map_or(Tokens::Crd, Tokens::Bv);
        let args = sam::ScanArgs {
            index: &scanner.index,
            tensor,
            level: self.tensors.level(&scanner.tensor, scanner.mode, scanner.level)?,
            reference,
            coordinates_type: self.ty(coordinates, depth),
            references_type: self.ty(Tokens::Ref, depth),
        };
        Ok(sam::Scan::build(self.b, args)?.set_skip(scanner.skips))
    }

    /// Writes an intersecter. The streams to the scanners that skip are left out.
    fn intersect(&mut self, id: BlockId, join: &Join) -> Result<'c, sam::Intersect<'c>> {
        let (coordinates, carried) = (self.alternate(id, 0), self.alternate(id, 1));
        let types: Vec<Ty<'c>> = carried.iter().map(|value| value.r#type()).collect();
        let args = sam::IntersectArgs {
            index: &join.index,
            names: &names(join),
            coordinates: &coordinates,
            carried: &carried,
            joined_type: self.ty(Tokens::Crd, depth(coordinates[0])),
            passed_types: &types,
        };
        let operands = join.operands.iter().zip(0..).filter(|(operand, _)| operand.skips);
        let skips: Vec<i64> = operands.map(|(_, number)| number).collect();
        Ok(sam::Intersect::build(self.b, args)?.set_skips(Some(&skips[..]).filter(|skips| !skips.is_empty())))
    }

    fn union(&mut self, id: BlockId, join: &Join) -> Result<'c, sam::Union<'c>> {
        let (coordinates, carried) = (self.alternate(id, 0), self.alternate(id, 1));
        let types: Vec<Ty<'c>> = carried.iter().map(|value| value.r#type()).collect();
        let args = sam::UnionArgs {
            index: &join.index,
            names: &names(join),
            coordinates: &coordinates,
            carried: &carried,
            joined_type: self.ty(Tokens::Crd, depth(coordinates[0])),
            passed_types: &types,
        };
        sam::Union::build(self.b, args)
    }

    fn repeat(&mut self, id: BlockId, repeat: &Repeat) -> Result<'c, sam::Repeat<'c>> {
        let (repeated, ty) = match self.optional_input(id, 0) {
            Some(stream) => (stream, self.with_depth(stream, depth(stream) + 1)),
            None => {
                let root = self.tensors.tensor(&repeat.tensor, None)?;
                self.tensors.belong(id, root);
                (root, self.ty(Tokens::Ref, 1))
            }
        };
        sam::Repeat::build(self.b, &repeat.index, &repeat.tensor, repeated, self.input(id, 1), ty)
    }

    fn words(&mut self, id: BlockId, words: &ToWords) -> Result<'c, sam::ToWords<'c>> {
        let (crd, references) = (self.input(id, 0), self.optional_input(id, 1));
        let bits = self.ty(Tokens::Bv(words.width), depth(crd));
        let first = references.map(|references| references.r#type());
        sam::ToWords::build(self.b, &words.index, crd, references, bits, first)
    }

    fn serialize(&mut self, id: BlockId, serialize: &Serialize) -> Result<'c, sam::Serialize<'c>> {
        let (crds, carried) = match serialize.carries {
            Some(_) => (self.alternate(id, 0), self.alternate(id, 1)),
            None => (self.inputs(id, 0..serialize.factor), Vec::new()),
        };
        let ty = carried.first().unwrap_or(&crds[0]).r#type();
        sam::Serialize::build(self.b, &serialize.index, &crds, &carried, ty)
    }

    fn locate(&mut self, id: BlockId, locate: &Locate) -> Result<'c, sam::Locate<'c>> {
        let coordinates = self.input(id, 0);
        let tensor = self.tensors.tensor(&locate.tensor, self.maker(id, 1))?;
        self.tensors.belong(id, tensor);
        let args = sam::LocateArgs {
            index: &locate.index,
            coordinates,
            tensor,
            level: self.tensors.level(&locate.tensor, locate.mode, locate.level)?,
            reference: self.optional_input(id, 1),
            references_type: self.ty(Tokens::Ref, depth(coordinates)),
        };
        sam::Locate::build(self.b, args)
    }

    fn function(&self, function: Function) -> Result<'c, sam::Function> {
        Ok(match function {
            Function::Negate => sam::Function::Neg,
            Function::Convert(_) => sam::Function::Convert,
            Function::Relu => sam::Function::Relu,
            Function::Exp => sam::Function::Exp,
            other => return Err(self.not_supported(&format!("`{}` blocks", other.name()))),
        })
    }

    fn not_supported(&self, what: &str) -> IrError<'c> {
        IrError::not_supported(self.b.location(), format!("{what} in the dialect `sam`"))
    }

    fn accumulate(&mut self, id: BlockId, accumulate: &Accumulate) -> Result<'c, sam::Accumulate<'c>> {
        let count = accumulate.indices.len();
        let inputs = self.inputs(id, 0..accumulate.inputs * (count + 1));
        let tensors = || inputs.chunks(count + 1);
        let coordinates: Vec<Val<'c>> = tensors().flat_map(|tensor| &tensor[..count]).copied().collect();
        let values: Vec<Val<'c>> = tensors().map(|tensor| tensor[count]).collect();
        let depth = match accumulate.form {
            CoordinateForm::Levels => depth(values[0]).saturating_sub(1),
            CoordinateForm::Points => count as u32,
        };
        let crd = |number: usize| self.ty(Tokens::Crd, depth.saturating_sub(number as u32).max(1));
        let types: Vec<Ty<'c>> = (0..count).map(crd).collect();
        let args = sam::AccumulateArgs {
            reduction: to_reduction(accumulate.reduction),
            form: accumulate.form.to_dialect(),
            indices: &accumulate.indices,
            order: accumulate.order as i64,
            coordinates: &coordinates,
            values: &values,
            empty: accumulate.empty.to_dialect(),
            accumulated_types: &types,
            result_type: self.with_depth(values[0], depth),
        };
        sam::Accumulate::build(self.b, args)
    }

    fn input(&self, id: BlockId, port: usize) -> Val<'c> {
        self.optional_input(id, port).expect("the wiring was checked")
    }

    fn optional_input(&self, id: BlockId, port: usize) -> Option<Val<'c>> {
        self.sources.source((id, Port(port))).map(|from| self.streams[&from])
    }

    fn two_inputs(&self, id: BlockId) -> [Val<'c>; 2] {
        [0, 1].map(|port| self.input(id, port))
    }

    fn inputs(&self, id: BlockId, ports: impl Iterator<Item = usize>) -> Vec<Val<'c>> {
        ports.map(|port| self.input(id, port)).collect()
    }

    /// Returns the streams at every other input.
    fn alternate(&self, id: BlockId, first: usize) -> Vec<Val<'c>> {
        self.inputs(id, (first..self.graph.blocks[id.0].kind.inputs().len()).step_by(2))
    }

    fn maker(&self, id: BlockId, port: usize) -> Option<BlockId> {
        self.sources.made_by((id, Port(port)))
    }

    fn ty(&self, tokens: Tokens<'c>, depth: u32) -> Ty<'c> {
        Stream { tokens, depth }.to_type(self.b.context())
    }

    fn with_depth(&self, stream: Val<'c>, depth: u32) -> Ty<'c> {
        self.ty(of_value(stream).tokens, depth)
    }
}

fn names(join: &Join) -> Vec<String> {
    join.operands.iter().map(|operand| operand.name.clone()).collect()
}

fn of_value<'c>(stream: Val<'c>) -> Stream<'c> {
    Stream::of_type(stream.r#type()).expect("blocks are connected by streams")
}

fn depth(stream: Val<'_>) -> u32 {
    of_value(stream).depth
}
