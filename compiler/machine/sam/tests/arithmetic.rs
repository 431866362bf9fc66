//! Every operator, function and reduction, on every element type, against loops over all points.

use crate::draw::Draw;
use crate::notation::dense::expected;
use crate::pack::pack;
use comet_sam::arithmetic::{Constant, Element, Function, Operator, Reduction, TypedValue};
use comet_sam::dot;
use comet_sam::graph::{GraphLevel, Merge, TensorFormat};
use comet_sam::lower::{IndexAccess, IndexExpression, IndexStatement, lower};
use comet_sam::simulate::{SimulationOptions, simulate};
use comet_sam::storage::{Entry, StoredTensor};
use std::collections::BTreeMap;

/// A statement in the making: tensors get letters in the order of their use, the result is `X`.
struct Making {
    tensors: Vec<TensorFormat>,
    order: Vec<String>,
}

fn variables(text: &str) -> Vec<String> {
    text.chars().map(String::from).collect()
}

impl Making {
    /// The result and the order of the variables.
    fn new(result: &str, order: &str, element: Element) -> Self {
        let mut making = Self { tensors: Vec::new(), order: variables(order) };
        making.tensor("X", result, element);
        making
    }

    fn tensor(&mut self, name: &str, indices: &str, element: Element) -> IndexAccess {
        let indices = variables(indices);
        let mut order: Vec<usize> = (0..indices.len()).collect();
        order.sort_by_key(|&mode| self.order.iter().position(|var| *var == indices[mode]));
        let levels = vec![GraphLevel::Compressed; indices.len()];
        self.tensors.push(TensorFormat { name: name.to_owned(), levels, order, element });
        IndexAccess { tensor: self.tensors.len() - 1, indices }
    }

    /// An operand.
    fn operand(&mut self, indices: &str, element: Element) -> Box<IndexExpression> {
        let name = char::from(b'A' + self.tensors.len() as u8).to_string();
        Box::new(IndexExpression::Access(self.tensor(&name, indices, element)))
    }

    fn finish(self, value: IndexExpression, fill: Reduction) -> IndexStatement {
        let indices = self.order.iter().filter(|var| self.result_has(var)).cloned().collect();
        let result = IndexAccess { tensor: 0, indices };
        let mut tensors = self.tensors;
        tensors[0].order = (0..tensors[0].order.len()).collect();
        IndexStatement { tensors, order: self.order, result, value, fill, keeps: false }
    }

    /// The result's variables come in the order of the dataflow, and are `i` and `j` in all statements here.
    fn result_has(&self, var: &str) -> bool {
        ["i", "j"][..self.tensors[0].levels.len()].contains(&var)
    }
}

fn reducing() -> impl Iterator<Item = Reduction> {
    Operator::ALL.iter().copied().filter(|operator| operator.reduces())
}

fn reduce(reduction: Reduction, var: &str, body: IndexExpression) -> IndexExpression {
    IndexExpression::Reduce(reduction, var.to_owned(), Box::new(body))
}

fn extent(index: &str) -> usize {
    match index {
        "i" => 4,
        "j" => 5,
        _ => 6,
    }
}

/// Floating point is exact in any order; integers need all their bits, and wrap.
fn value(drawn: u64, element: Element) -> TypedValue {
    let number = match drawn % 9 {
        4 => 7,
        other => other as i64 - 4,
    };
    match element.computed() {
        Element::F64 => TypedValue::F64(number as f64 * 0.5),
        Element::F32 => TypedValue::F32(number as f32 * 0.5),
        _ => TypedValue::I64(number.wrapping_mul(0x0123_4567_89AB_CDEF)),
    }
}

fn entries(dims: &[usize], element: Element, seed: u64) -> Vec<Entry> {
    let (mut entries, mut draw) = (Vec::new(), Draw::seeded(seed));
    for mut place in 0..dims.iter().product() {
        let drawn = draw.number();
        let mut point = vec![0; dims.len()];
        for (mode, dim) in dims.iter().enumerate().rev() {
            point[mode] = place % dim;
            place /= dim;
        }
        if drawn % 100 < 50 || dims.is_empty() {
            entries.push((point, value(drawn / 100, element)));
        }
    }
    entries
}

fn tensors(statement: &IndexStatement, seed: u64) -> BTreeMap<String, StoredTensor> {
    let stored = statement.value.accesses().into_iter().map(|access| {
        let format = &statement.tensors[access.tensor];
        let dims: Vec<usize> = access.indices.iter().map(|index| extent(index)).collect();
        let entries = entries(&dims, format.element, seed * 11 + access.tensor as u64);
        (format.name.clone(), pack(format, &dims, &entries))
    });
    stored.collect()
}

/// Simulates the statement, and the graph that a file gives back; data of several seeds.
fn check(statement: &IndexStatement, what: &str) {
    let lowered = lower(statement).unwrap_or_else(|refusal| panic!("{what}: {refusal}"));
    let graph = lowered.last();
    let again = dot::read(&dot::write(graph)).unwrap_or_else(|error| panic!("{what}: {error:?}"));
    for seed in 0..6 {
        let tensors = tensors(statement, seed);
        let expected = expected(statement, &tensors, &extent);
        for graph in [graph, &again] {
            let outcome = simulate(graph, &tensors, SimulationOptions::default());
            let found = outcome.unwrap_or_else(|fault| panic!("{what}, data {seed}: {fault}")).result;
            // NaN is what it is, too.
            assert_eq!(format!("{:?}", found.entries()), format!("{expected:?}"), "{what}, data {seed}");
        }
    }
}

/// The types of the values in graphs; narrower ones are only converted to.
fn computed() -> impl Iterator<Item = Element> {
    Element::streamed()
}

#[test]
fn operators() {
    for element in computed() {
        // Powers are of floating-point numbers.
        let has = |operator: &&Operator| element != Element::I64 || **operator != Operator::Pow;
        for &operator in Operator::ALL.iter().filter(has) {
            let what = format!("{operator:?} of {element:?}");
            for other in ["ij", "i", ""] {
                let mut making = Making::new("ij", "ij", element);
                let (b, c) = (making.operand("ij", element), making.operand(other, element));
                let value = IndexExpression::Combine(Merge::Intersect, operator, b, c);
                check(&making.finish(value, Reduction::Add), &what);
            }
            // What is missing counts as 0, by which integers are not divided.
            if operator != Operator::Div {
                let mut making = Making::new("ij", "ij", element);
                let (b, c) = (making.operand("ij", element), making.operand("ij", element));
                let value = IndexExpression::Combine(Merge::Union, operator, b, c);
                check(&making.finish(value, Reduction::Add), &what);
            }
        }
    }
}

#[test]
fn functions() {
    for element in computed() {
        let constants = [(Operator::Mul, 3.0), (Operator::Sub, -2.0), (Operator::Max, 0.0)];
        let constants = constants.map(|(operator, number)| Function::With(operator, Constant::new(number)));
        let real = Element::ALL.into_iter().filter(|element| !element.is_complex());
        let functions = real.map(Function::Convert);
        let functions = functions.chain(Function::plain()).chain(constants);
        for function in functions {
            let result = function.result(element);
            let mut making = Making::new("ij", "ij", result);
            let (b, c) = (making.operand("ij", element), making.operand("ij", result));
            let b = Box::new(IndexExpression::Apply(function, b));
            let value = IndexExpression::Combine(Merge::Union, Operator::Sub, c, b);
            check(&making.finish(value, Reduction::Add), &format!("{function:?} of {element:?}"));
        }
    }
}

/// The product of two matrices over each pair of operators: the reducers of all orders.
#[test]
fn reductions() {
    for element in computed() {
        for reduction in reducing() {
            for operator in [Operator::Mul, Operator::Add, Operator::Max, Operator::Second, Operator::Pair] {
                // Any of several values may be another one in another order.
                if reduction == Reduction::Any && operator != Operator::Pair {
                    continue;
                }
                for order in ["ijk", "ikj", "kij"] {
                    let mut making = Making::new("ij", order, element);
                    let (b, c) = (making.operand("ik", element), making.operand("kj", element));
                    let value =
                        reduce(reduction, "k", IndexExpression::Combine(Merge::Intersect, operator, b, c));
                    let what = format!("{reduction:?} over {operator:?} of {element:?} in the order {order}");
                    check(&making.finish(value, reduction), &what);
                }
            }
        }
    }
}

/// A scalar that nothing reaches is the identity; a reduction among other operands may be absent.
#[test]
fn reductions_of_nothing() {
    for element in computed() {
        for reduction in reducing().filter(|reduction| *reduction != Reduction::Any) {
            let mut making = Making::new("i", "ij", element);
            let (b, c) = (making.operand("i", element), making.operand("ij", element));
            let reduced = Box::new(reduce(reduction, "j", *c));
            let value = IndexExpression::Combine(Merge::Intersect, Operator::Add, b, reduced);
            check(&making.finish(value, reduction), &format!("{reduction:?} of {element:?} among others"));
            let mut making = Making::new("i", "ij", element);
            let (b, c) = (making.operand("i", element), making.operand("ij", element));
            let reduced = Box::new(reduce(reduction, "j", *c));
            let value = IndexExpression::Combine(Merge::Union, Operator::Sub, b, reduced);
            check(&making.finish(value, reduction), &format!("{reduction:?} of {element:?} less"));
        }
    }
}

#[test]
fn integers_are_not_divided_by_zero() {
    let mut making = Making::new("i", "i", Element::I64);
    let (b, c) = (making.operand("i", Element::I64), making.operand("i", Element::I64));
    let statement =
        making.finish(IndexExpression::Combine(Merge::Intersect, Operator::Div, b, c), Reduction::Add);
    let lowered = lower(&statement).expect("it can be lowered");
    let stored = [("B", 3), ("C", 0)].into_iter().zip(1..).map(|((name, value), tensor)| {
        let entries = [(vec![2], TypedValue::I64(value))];
        (name.to_owned(), pack(&statement.tensors[tensor], &[4], &entries))
    });
    let fault =
        simulate(lowered.last(), &stored.collect(), SimulationOptions::default()).expect_err("it is a fault");
    assert_eq!(fault.message, "division of the integer 3 by zero (at `Div (5)`)");
}

#[test]
fn types_must_meet() {
    let mut making = Making::new("i", "i", Element::F64);
    let (b, c) = (making.operand("i", Element::I64), making.operand("i", Element::F64));
    let statement =
        making.finish(IndexExpression::Combine(Merge::Intersect, Operator::Mul, b, c), Reduction::Add);
    let refusal = lower(&statement).expect_err("it is refused");
    assert_eq!(refusal.message, "multiply: the operands are i64 and f64, expected one type");
}

/// Files say the types of tensors and of blocks, and tensors must be of theirs.
#[test]
fn types_are_checked_in_graphs() {
    let mut making = Making::new("i", "i", Element::I64);
    let b = making.operand("i", Element::I64);
    let statement = making.finish(IndexExpression::Apply(Function::Negate, b), Reduction::Add);
    let text = dot::write(lower(&statement).expect("it can be lowered").last());
    let other_type = text.replace("elements=\"X=i64,B=i64\"", "elements=\"X=i64\"");
    let error = dot::read(&other_type).expect_err("types differ");
    assert_eq!(error.message, "values of `Neg (3)` at input 0 are f64, expected i64");
    let mut other = statement.clone();
    other.tensors[1].element = Element::F32;
    let graph = dot::read(&text).expect("it can be read");
    let outcome = simulate(&graph, &tensors(&other, 1), SimulationOptions::default());
    let fault = outcome.expect_err("it is a fault");
    assert_eq!(fault.message, "the values of `B` are f32, expected i64");
}
