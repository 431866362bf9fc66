//! One function for each kind of block.

use super::GraphEmitter;
use crate::cases::{Applied, EnumCase, Under};
use crate::element::element_type;
use comet_ir::sam::{Stream, Tensor, Tokens};
use comet_ir::{Attr, IrError, Result, Ty, Val};
use comet_sam::graph::{
    Accumulate, Alu, Apply, BlockId, BlockKind, CoordinateForm, Dropped, Fetch, FiberNesting, Function, Join,
    Locate, Mask, Merge, Parallelize, Port, Reduce, Repeat, Scanner, Serialize, ToWords, ValuePlacement,
    WriteLevel, WriteValues,
};
use melior::ir::ValueLike;
use melior::ir::attribute::{DenseI32ArrayAttribute, DenseI64ArrayAttribute};

/// The name of an operation, and its attributes.
type Attributes<'a, 'c> = &'a [(&'static str, Attr<'c>)];

impl<'c> GraphEmitter<'_, 'c> {
    /// Writes a block whose streams are there.
    pub(super) fn block(&mut self, id: BlockId) -> Result<'c, ()> {
        match &self.graph.blocks[id.0].kind {
            BlockKind::Scanner(scanner) => self.scanner(id, scanner),
            BlockKind::Join(join) => self.join(id, join),
            BlockKind::RepeatSignal { index } => self.signals(id, index),
            BlockKind::Repeat(repeat) => self.repeat(id, repeat),
            BlockKind::Locate(locate) => self.locate(id, locate),
            BlockKind::Array { tensor, .. } => self.array(id, tensor),
            BlockKind::Alu(alu) => self.alu(id, *alu),
            BlockKind::Apply(apply) => self.apply(id, *apply),
            BlockKind::ToWords(words) => self.words(id, words),
            BlockKind::Parallelize(parallelize) => self.parallelize(id, parallelize),
            BlockKind::Serialize(serialize) => self.serialize(id, serialize),
            BlockKind::Fetch(fetch) => self.fetch(id, fetch),
            BlockKind::Mask(mask) => self.mask(id, *mask),
            BlockKind::Reduce(reduce) => self.reduce(id, *reduce),
            BlockKind::Accumulate(accumulate) => self.accumulate(id, accumulate),
            BlockKind::Drop { outer, inner, what } => self.drop(id, [outer, inner], *what),
            BlockKind::Hold { outer, inner } => self.hold(id, [outer, inner]),
            BlockKind::WriteLevel(write) => self.write_level(id, write),
            BlockKind::WriteValues(write) => self.write_values(id, write),
        }
    }

    fn scanner(&mut self, id: BlockId, scanner: &Scanner) -> Result<'c, ()> {
        let reference = self.optional_input(id, 0);
        let from = self.readers.get(&(id, Port(0))).copied();
        let tensor = self.tensors.tensor(&scanner.tensor, from)?;
        let level = self.tensors.level(&scanner.tensor, scanner.mode, scanner.level)?;
        let depth = reference.map_or(0, depth) + 1;
        let mut attributes =
            vec![("index", self.text(&scanner.index)), ("level", self.b.i64_attribute(level))];
        if scanner.skips {
            attributes.push(("skip", Attr::unit(self.b.context())));
        }
        let operands: Vec<Val<'c>> = [tensor].into_iter().chain(reference).collect();
        self.tensors.belong((id, Port(1)), tensor);
        let coordinates = scanner.level.width().map_or(Tokens::Crd, Tokens::Bv);
        let results = [self.ty(coordinates, depth), self.ty(Tokens::Ref, depth)];
        self.add(id, "sam.scan", &operands, &results, &attributes)
    }

    fn join(&mut self, id: BlockId, join: &Join) -> Result<'c, ()> {
        let (mut crds, mut carried) = (Vec::new(), Vec::new());
        for operand in 0..join.operands.len() {
            crds.push(self.stream(id, Port::operand_crd(operand)));
            carried.push(self.stream(id, Port::operand_ref(operand)));
            let from = self.readers[&(id, Port::operand_ref(operand))];
            self.tensors.pass(from, (id, Port::joined_ref(operand)));
        }
        let joined = self.ty(Tokens::Crd, depth(crds[0]));
        let results: Vec<Ty<'c>> =
            [joined].into_iter().chain(carried.iter().map(|value| value.r#type())).collect();
        let names: Vec<String> = join.operands.iter().map(|operand| operand.name.clone()).collect();
        let mut attributes =
            vec![("index", self.text(&join.index)), ("names", self.b.strings_attribute(&names))];
        attributes.extend(self.skips(join).map(|skips| ("skips", skips)));
        let name = match join.how {
            Merge::Intersect => "sam.intersect",
            Merge::Union => "sam.union",
        };
        self.add(id, name, &[crds, carried].concat(), &results, &attributes)
    }

    /// The numbers of the operands that skip. The streams that tell their scanners so are left out.
    fn skips(&self, join: &Join) -> Option<Attr<'c>> {
        let operands = join.operands.iter().zip(0..).filter(|(operand, _)| operand.skips);
        let numbers: Vec<i64> = operands.map(|(_, number)| number).collect();
        (!numbers.is_empty()).then(|| DenseI64ArrayAttribute::new(self.b.context(), &numbers).into())
    }

    fn signals(&mut self, id: BlockId, index: &str) -> Result<'c, ()> {
        let crd = self.input(id, 0);
        let result = self.ty(Tokens::Repsig, depth(crd));
        self.add(id, "sam.repeat_signal", &[crd], &[result], &[("index", self.text(index))])
    }

    fn repeat(&mut self, id: BlockId, repeat: &Repeat) -> Result<'c, ()> {
        let signals = self.input(id, 1);
        let (repeated, result) = match self.optional_input(id, 0) {
            Some(stream) => {
                let from = self.readers[&(id, Port(0))];
                self.tensors.pass(from, (id, Port(0)));
                (stream, self.with_depth(stream, depth(stream) + 1))
            }
            None => {
                let root = self.tensors.tensor(&repeat.tensor, None)?;
                self.tensors.belong((id, Port(0)), root);
                (root, self.ty(Tokens::Ref, 1))
            }
        };
        let attributes = [("index", self.text(&repeat.index)), ("name", self.text(&repeat.tensor))];
        self.add(id, "sam.repeat", &[repeated, signals], &[result], &attributes)
    }

    fn words(&mut self, id: BlockId, words: &ToWords) -> Result<'c, ()> {
        let (crd, reference) = (self.input(id, 0), self.optional_input(id, 1));
        if let Some(from) = self.readers.get(&(id, Port(1))) {
            self.tensors.pass(*from, (id, Port(1)));
        }
        let operands: Vec<Val<'c>> = [crd].into_iter().chain(reference).collect();
        let bits = self.ty(Tokens::Bv(words.width), depth(crd));
        let first = reference.map(|reference| reference.r#type());
        let results: Vec<Ty<'c>> = [bits].into_iter().chain(first).collect();
        self.add(id, "sam.to_words", &operands, &results, &[("index", self.text(&words.index))])
    }

    fn parallelize(&mut self, id: BlockId, parallelize: &Parallelize) -> Result<'c, ()> {
        let (elements, from) = (self.input(id, 0), self.readers[&(id, Port(0))]);
        for output in 0..parallelize.factor {
            self.tensors.pass(from, (id, Port(output)));
        }
        let results = vec![elements.r#type(); parallelize.factor];
        let attributes = [("index", self.text(&parallelize.index))];
        self.add(id, "sam.parallelize", &[elements], &results, &attributes)
    }

    fn serialize(&mut self, id: BlockId, serialize: &Serialize) -> Result<'c, ()> {
        let each = if serialize.carries.is_some() { 2 } else { 1 };
        let streams =
            |first: usize| (0..serialize.factor).map(|copy| self.input(id, first + copy * each)).collect();
        let crds: Vec<Val<'c>> = streams(0);
        let carried: Vec<Val<'c>> = if each == 2 { streams(1) } else { Vec::new() };
        if each == 2 {
            self.tensors.pass(self.readers[&(id, Port(1))], (id, Port(0)));
        }
        let result = carried.first().unwrap_or(&crds[0]).r#type();
        let attributes = [("index", self.text(&serialize.index)), self.segments(&[&crds, &carried])];
        self.add(id, "sam.serialize", &[crds, carried].concat(), &[result], &attributes)
    }

    fn fetch(&mut self, id: BlockId, fetch: &Fetch) -> Result<'c, ()> {
        let (reference, from) = (self.input(id, 0), self.readers[&(id, Port(0))]);
        let tensor = self.tensors.tensor(&fetch.tensor, Some(from))?;
        let level = self.tensors.number(&fetch.tensor, fetch.mode)?;
        self.tensors.belong((id, Port(0)), tensor);
        let attributes = [("level", self.b.i64_attribute(level))];
        self.add(id, "sam.fetch", &[tensor, reference], &[reference.r#type()], &attributes)
    }

    fn array(&mut self, id: BlockId, tensor: &str) -> Result<'c, ()> {
        let references = self.optional_input(id, 0);
        let from = self.readers.get(&(id, Port(0))).copied();
        let tensor = self.tensors.tensor(tensor, from)?;
        let stored = Tensor::of_type(tensor.r#type()).expect("a declaration gives a tensor");
        let result = self.ty(Tokens::Val(stored.element), references.map_or(0, depth));
        let operands: Vec<Val<'c>> = [tensor].into_iter().chain(references).collect();
        self.add(id, "sam.array", &operands, &[result], &[])
    }

    fn locate(&mut self, id: BlockId, locate: &Locate) -> Result<'c, ()> {
        let (crd, reference) = (self.input(id, 0), self.optional_input(id, 1));
        let from = self.readers.get(&(id, Port(1))).copied();
        let tensor = self.tensors.tensor(&locate.tensor, from)?;
        let level = self.tensors.level(&locate.tensor, locate.mode, locate.level)?;
        let attributes = [("index", self.text(&locate.index)), ("level", self.b.i64_attribute(level))];
        let operands: Vec<Val<'c>> = [crd, tensor].into_iter().chain(reference).collect();
        self.tensors.belong((id, Port(1)), tensor);
        let results = [crd.r#type(), self.ty(Tokens::Ref, depth(crd))];
        self.add(id, "sam.locate", &operands, &results, &attributes)
    }

    fn alu(&mut self, id: BlockId, alu: Alu) -> Result<'c, ()> {
        let operands = [self.input(id, 0), self.input(id, 1)];
        let attributes = [("op", self.case(alu.operator)), ("meeting", self.case(alu.how))];
        self.add(id, "sam.alu", &operands, &[operands[0].r#type()], &attributes)
    }

    fn apply(&mut self, id: BlockId, apply: Apply) -> Result<'c, ()> {
        let value = self.input(id, 0);
        let function = match apply.function {
            Function::Negate => Applied::Negate,
            Function::Convert(_) => Applied::Convert,
            Function::Relu => Applied::Relu,
            Function::Exp => Applied::Exp,
            other => {
                let what = format!("`{}` blocks in the dialect `sam`", other.name());
                return Err(IrError::not_supported(self.b.location(), what));
            }
        };
        let element = element_type(self.b.context(), apply.function.result(apply.element));
        let result = self.ty(Tokens::Val(element), depth(value));
        self.add(id, "sam.apply", &[value], &[result], &[("function", self.case(function))])
    }

    fn mask(&mut self, id: BlockId, mask: Mask) -> Result<'c, ()> {
        let operands = [self.input(id, 0), self.input(id, 1)];
        self.add(id, "sam.mask", &operands, &[operands[0].r#type()], &[("kept", self.case(mask.kept))])
    }

    fn reduce(&mut self, id: BlockId, reduce: Reduce) -> Result<'c, ()> {
        let values: Vec<Val<'c>> = (0..reduce.inputs).map(|input| self.input(id, input)).collect();
        let around: Vec<Val<'c>> = self.optional_input(id, reduce.inputs).into_iter().collect();
        let result = self.with_depth(values[0], depth(values[0]).saturating_sub(1));
        let attributes = [
            ("reduction", self.case(reduce.reduction)),
            ("empty", self.case(reduce.empty)),
            self.segments(&[&values, &around]),
        ];
        self.add(id, "sam.reduce", &[values, around].concat(), &[result], &attributes)
    }

    fn accumulate(&mut self, id: BlockId, accumulate: &Accumulate) -> Result<'c, ()> {
        let count = accumulate.indices.len();
        let ports = (0..accumulate.inputs * (count + 1)).map(|port| (port, self.input(id, port)));
        let (values, crds): (Vec<_>, Vec<_>) = ports.partition(|(port, _)| port % (count + 1) == count);
        let [crds, values] = [crds, values].map(|ports| ports.into_iter().map(|(_, value)| value).collect());
        let (crds, values): (Vec<Val<'c>>, Vec<Val<'c>>) = (crds, values);
        let depth = match accumulate.form {
            CoordinateForm::Levels => depth(values[0]).saturating_sub(1),
            CoordinateForm::Points => count as u32,
        };
        let crd = |number: usize| self.ty(Tokens::Crd, depth.saturating_sub(number as u32).max(1));
        let mut results: Vec<Ty<'c>> = (0..count).map(crd).collect();
        results.push(self.with_depth(values[0], depth));
        let attributes = [
            ("reduction", self.case(accumulate.reduction)),
            ("form", self.case(accumulate.form)),
            ("indices", self.b.strings_attribute(&accumulate.indices)),
            ("order", self.b.i64_attribute(accumulate.order as i64)),
            ("empty", self.case(accumulate.empty)),
            self.segments(&[&crds, &values]),
        ];
        self.add(id, "sam.accumulate", &[crds, values].concat(), &results, &attributes)
    }

    fn drop(&mut self, id: BlockId, indices: [&str; 2], what: Dropped) -> Result<'c, ()> {
        let operands = [self.input(id, 0), self.input(id, 1)];
        let [outer, inner] = self.indices(indices);
        let under = match what {
            Dropped::EmptyFibers => Under::Fibers,
            Dropped::EmptyFibersOfValues => {
                let what = "droppers of fibers of values in the dialect `sam`";
                return Err(IrError::not_supported(self.b.location(), what));
            }
            Dropped::Absent => Under::Absent,
            Dropped::Zeros(_) => Under::Zeros,
        };
        let results = operands.map(|operand| operand.r#type());
        self.add(id, "sam.drop", &operands, &results, &[("dropped", self.case(under)), outer, inner])
    }

    fn hold(&mut self, id: BlockId, indices: [&str; 2]) -> Result<'c, ()> {
        let operands = [self.input(id, 0), self.input(id, 1)];
        let attributes = self.indices(indices);
        self.add(id, "sam.hold", &operands, &[operands[1].r#type(); 2], &attributes)
    }

    fn write_level(&mut self, id: BlockId, write: &WriteLevel) -> Result<'c, ()> {
        let operands = [self.input(id, 0), self.tensors.result()];
        let level = self.tensors.level(&write.tensor, write.mode, write.level)?;
        let mut attributes = vec![("index", self.text(&write.index)), ("level", self.b.i64_attribute(level))];
        if write.fibers == FiberNesting::Single {
            attributes.push(("single", Attr::unit(self.b.context())));
        }
        self.add(id, "sam.write_level", &operands, &[], &attributes)
    }

    fn write_values(&mut self, id: BlockId, write: &WriteValues) -> Result<'c, ()> {
        let result = self.tensors.result();
        let operands = match write.places {
            ValuePlacement::InOrder => vec![self.input(id, 0), result],
            ValuePlacement::Scattered | ValuePlacement::Kept => {
                vec![self.input(id, 1), result, self.input(id, 0)]
            }
        };
        let mut attributes = vec![("fill", self.case(write.fill))];
        if write.places == ValuePlacement::Kept {
            attributes.push(("kept", Attr::unit(self.b.context())));
        }
        self.add(id, "sam.write_values", &operands, &[], &attributes)
    }

    /// Writes an operation, whose results are the block's outputs.
    fn add(
        &mut self,
        id: BlockId,
        name: &str,
        operands: &[Val<'c>],
        results: &[Ty<'c>],
        attributes: Attributes<'_, 'c>,
    ) -> Result<'c, ()> {
        let lanes = self.graph.blocks[id.0].lanes;
        let lanes = (lanes != 1).then(|| ("lanes", self.b.i64_attribute(lanes as i64)));
        let attributes: Vec<_> = attributes.iter().copied().chain(lanes).collect();
        let op = self.b.op(name, operands, results, &attributes)?;
        let outputs = (0..results.len()).map(|port| ((id, Port(port)), op.result(port)));
        self.streams.extend(outputs);
        Ok(())
    }

    /// The stream at an input that needs one.
    fn input(&self, id: BlockId, port: usize) -> Val<'c> {
        self.stream(id, Port(port))
    }

    fn stream(&self, id: BlockId, port: Port) -> Val<'c> {
        self.streams[&self.readers[&(id, port)]]
    }

    fn optional_input(&self, id: BlockId, port: usize) -> Option<Val<'c>> {
        self.readers.get(&(id, Port(port))).map(|from| self.streams[from])
    }

    fn ty(&self, tokens: Tokens<'c>, depth: u32) -> Ty<'c> {
        Stream { tokens, depth }.to_type(self.b.context())
    }

    fn with_depth(&self, stream: Val<'c>, depth: u32) -> Ty<'c> {
        self.ty(of_value(stream).tokens, depth)
    }

    /// How many operands there are of each sort, where several of them may be any number.
    fn segments(&self, sorts: &[&[Val<'c>]]) -> (&'static str, Attr<'c>) {
        let lengths: Vec<i32> = sorts.iter().map(|sort| sort.len() as i32).collect();
        ("operandSegmentSizes", DenseI32ArrayAttribute::new(self.b.context(), &lengths).into())
    }

    fn text(&self, text: &str) -> Attr<'c> {
        self.b.string_attribute(text)
    }

    fn case(&self, case: impl EnumCase) -> Attr<'c> {
        self.b.enum_attribute(case.number())
    }

    fn indices(&self, [outer, inner]: [&str; 2]) -> [(&'static str, Attr<'c>); 2] {
        [("outer_index", self.text(outer)), ("inner_index", self.text(inner))]
    }
}

fn of_value<'c>(stream: Val<'c>) -> Stream<'c> {
    Stream::of_type(stream.r#type()).expect("blocks are connected by streams")
}

fn depth(stream: Val<'_>) -> u32 {
    of_value(stream).depth
}
