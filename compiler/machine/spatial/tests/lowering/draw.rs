//! Statements drawn at random.

use crate::tensor::Tensor;
use comet_format::LevelKind;
use comet_notation::{Operator, Patterns};
use comet_spatial::app::{Scalar, whole};
use comet_spatial::interpret::Column;
use comet_spatial::lower::{self, Home, Nest, NestAccess, NestAssign, NestStmt, Parallelism, Value, Var};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A statement with its data.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) nest: Nest,
    pub(crate) extents: Vec<usize>,
    /// The variables of the target's modes.
    pub(crate) target: Vec<Var>,
    pub(crate) value: Value,
    /// The tensors of the nest; the result first, empty.
    pub(crate) data: Vec<Tensor>,
    pub(crate) result: Tensor,
}

impl Case {
    pub(crate) fn files(&self) -> BTreeMap<String, Column> {
        let mut files = BTreeMap::new();
        self.result.write_dims(&mut files);
        self.data[1..].iter().for_each(|tensor| tensor.write(&mut files));
        files
    }
}

/// A tensor over some variables: which, how its levels are stored, and its entries.
#[derive(Clone, Debug)]
struct Drawn {
    vars: Vec<Var>,
    kinds: Vec<LevelKind>,
    entries: BTreeMap<Vec<usize>, f64>,
}

const NAMES: [&str; 4] = ["i", "j", "k", "l"];

pub(crate) fn case() -> impl Strategy<Value = Case> {
    (1_usize..=4, 1_usize..=4)
        .prop_flat_map(|(vars, operands)| {
            vec(1_usize..=5, vars).prop_flat_map(move |extents| {
                let operands = vec(drawn(extents.clone()), operands);
                let shape = shape(4);
                (Just(extents.clone()), drawn(extents), operands, shape, any::<u64>())
            })
        })
        .prop_map(|(extents, result, operands, shape, bits)| {
            assemble(extents, result, operands, &shape, bits)
        })
}

/// How operands become one value: an operator for each but the first, and how it nests.
fn shape(most: usize) -> impl Strategy<Value = Vec<(u8, bool)>> {
    vec((0_u8..4, any::<bool>()), most)
}

fn drawn(extents: Vec<usize>) -> impl Strategy<Value = Drawn> {
    let count = extents.len();
    let kind = prop_oneof![Just(LevelKind::Dense), Just(LevelKind::CompressedUnique)];
    (vec(any::<bool>(), count), vec(kind, count)).prop_flat_map(move |(chosen, kinds)| {
        let vars: Vec<Var> = (0..count).filter(|var| chosen[*var]).take(3).collect();
        let kinds: Vec<LevelKind> = vars.iter().map(|var| kinds[*var]).collect();
        let point: Vec<_> = vars.iter().map(|var| 0..extents[*var]).collect();
        let value = (-8_i32..=8).prop_filter("values are not 0", |value| *value != 0);
        let entries = btree_map(point, value.prop_map(|value| f64::from(value) / 2.0), 0..12);
        (Just(vars), Just(kinds), entries).prop_map(|(vars, kinds, entries)| Drawn { vars, kinds, entries })
    })
}

fn assemble(
    extents: Vec<usize>,
    result: Drawn,
    operands: Vec<Drawn>,
    shape: &[(u8, bool)],
    bits: u64,
) -> Case {
    let result = Drawn { entries: BTreeMap::new(), ..result };
    let mut data = vec![tensor("R", &result, &extents, bits)];
    let mut accesses = vec![access(0, &result, bits)];
    for (number, operand) in operands.iter().enumerate() {
        let bits = bits.rotate_right(7 * (number as u32 + 1));
        data.push(tensor(&format!("{}", (b'A' + number as u8) as char), operand, &extents, bits));
        accesses.push(access(number + 1, operand, bits));
    }
    let mut value = Value::Access(accesses[1].clone());
    for (operand, (operator, is_first)) in accesses[2..].iter().zip(shape) {
        let other = Value::Access(operand.clone());
        let (left, right) = if *is_first { (value, other) } else { (other, value) };
        value = match operator {
            0 | 1 => combine(Patterns::Intersection, Operator::Mul, left, right),
            2 => combine(Patterns::Union, Operator::Add, left, right),
            _ => combine(Patterns::Union, Operator::Sub, left, right),
        };
    }
    // Every variable that some tensor has is a loop; others have no extent.
    let is_used = |var: &Var| accesses.iter().any(|access| access.indices.contains(var));
    let used: Vec<Var> = (0..extents.len()).filter(is_used).collect();
    let extents: Vec<usize> = extents
        .iter()
        .enumerate()
        .map(|(var, extent)| if used.contains(&var) { *extent } else { 1 })
        .collect();
    let target = accesses[0].clone();
    let is_sum = used.iter().any(|var| !target.indices.contains(var));
    let reduction = (is_sum || bits & 1 == 1).then_some(Operator::Add);
    let assign = NestStmt::Assign(NestAssign { target: target.clone(), reduction, value: value.clone() });
    let mut tensors: Vec<lower::NestTensor> = data.iter().map(off_chip).collect();
    // The innermost loops that reduce may do so into a register.
    let inner = used.iter().rev().take_while(|var| !target.indices.contains(var)).count();
    let (outer, inner) = used.split_at(used.len() - inner);
    let body = if bits & 4 == 4 && !inner.is_empty() {
        let register = NestAccess { tensor: tensors.len(), indices: Vec::new() };
        tensors.push(lower::NestTensor {
            name: "t".to_owned(),
            home: Home::Scalar,
            is_temporary: true,
            ..off_chip(&data[0])
        });
        tensors[register.tensor].levels.clear();
        let sum =
            NestAssign { target: register.clone(), reduction: Some(Operator::Add), value: value.clone() };
        let consumed =
            NestAssign { target: target.clone(), reduction, value: Value::Access(register.clone()) };
        let producer = vec![loops(inner, NestStmt::Assign(sum), bits)];
        NestStmt::Where { consumer: vec![NestStmt::Assign(consumed)], producer, temporary: register.tensor }
    } else {
        loops(inner, assign, bits)
    };
    let body = loops(outer, body, bits.rotate_right(9));
    let nest = Nest {
        name: "K0".to_owned(),
        tensors,
        vars: NAMES.map(str::to_owned).to_vec(),
        extents: (0..NAMES.len()).collect(),
        sizes: vec![None; NAMES.len()],
        tiles: Vec::new(),
        numbers: Vec::new(),
        body: vec![body],
        is_cleared: true,
        communicated: match target.indices.first() {
            Some(var) if bits >> 44 & 3 == 3 => vec![(0, *var)],
            _ => Vec::new(),
        },
        environment: vec![
            ("bp".to_owned(), 1 + (bits >> 40 & 3) as i64),
            ("ip".to_owned(), 1 << (bits >> 42 & 3)),
        ],
    };
    Case { nest, extents, target: target.indices, value, result: data[0].clone(), data }
}

/// Loops around a statement, the first variable outermost.
fn loops(vars: &[Var], inside: NestStmt, bits: u64) -> NestStmt {
    vars.iter().rev().fold(inside, |body, var| {
        let par = match bits.rotate_right(3 * *var as u32) & 31 {
            0 => Parallelism::Number(2),
            1 => Parallelism::Number(4),
            2 => Parallelism::Setting("ip".to_owned()),
            _ => Parallelism::Usual,
        };
        NestStmt::Forall { var: *var, par, body: vec![body] }
    })
}

fn off_chip(tensor: &Tensor) -> lower::NestTensor {
    lower::NestTensor {
        name: tensor.name.clone(),
        element: Scalar::Double,
        levels: tensor.levels.clone(),
        modes: (0..tensor.levels.len()).collect(),
        home: Home::OffChip,
        is_resident: tensor.is_resident,
        is_temporary: false,
    }
}

fn combine(how: Patterns, operation: Operator, left: Value, right: Value) -> Value {
    Value::Combine(how, operation, Box::new(left), Box::new(right))
}

/// The modes of a tensor are its variables in their order, or the other way iteration; levels are in their
/// order.
fn is_turned(bits: u64) -> bool {
    bits & 2 == 2
}

fn access(tensor: usize, drawn: &Drawn, bits: u64) -> NestAccess {
    let mut indices = drawn.vars.clone();
    if is_turned(bits) {
        indices.reverse();
    }
    NestAccess { tensor, indices }
}

fn tensor(name: &str, drawn: &Drawn, extents: &[usize], bits: u64) -> Tensor {
    let count = drawn.vars.len();
    let mode = |level: usize| if is_turned(bits) { count - 1 - level } else { level };
    let levels = drawn.kinds.iter().enumerate().map(|(level, kind)| whole(mode(level), *kind));
    let turned = |point: &Vec<usize>| -> Vec<usize> {
        if is_turned(bits) { point.iter().rev().copied().collect() } else { point.clone() }
    };
    let dims: Vec<usize> = drawn.vars.iter().map(|var| extents[*var]).collect();
    Tensor {
        name: name.to_owned(),
        dims: turned(&dims),
        levels: levels.collect(),
        is_resident: bits >> 40 & 3 == 3,
        entries: drawn.entries.iter().map(|(point, value)| (turned(point), *value)).collect(),
    }
}
