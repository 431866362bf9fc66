//! Every function, comparison and choice, of operands in many formats, into several results, under masks: on
//! 3 by 3 matrices whose entries are of all signs, zeros among them.

use super::data;
use super::format::Format;
use super::kernel::{Content, DrawnLabel, FileKind, Kernel, Mask, Operand, Value};
use super::rng::Rng;

const SIDE: usize = 3;

const FUNCTIONS: &[&str] = &[
    "abs", "sqrt", "rsqrt", "exp", "expm1", "log", "log1p", "sin", "cos", "tanh", "sigmoid", "relu", "floor",
    "ceil", "round", "sign", "isnan",
];

const COMPARISONS: &[&str] = &["==", "!=", "<", "<=", ">", ">="];

const OPERANDS: &[&str] =
    &["CSR", "CSC", "DCSR", "COO", "ELL", "BCSR<2,2>", "{D, R}", "{D, H}", "{D, BV<8>}", "Dense"];

const RESULTS: &[&str] = &["Dense", "CSR", "COO", "{D, H}"];

/// One kernel for each.
pub fn kernels() -> Vec<Kernel> {
    let mut found = Vec::new();
    for value in values() {
        for format in OPERANDS {
            for result in RESULTS {
                for complement in [None, Some(""), Some("!")] {
                    found.push(kernel(value.clone(), format, result, complement, found.len() as u64));
                }
            }
        }
    }
    found
}

/// The values, of operands 1 and 2.
fn values() -> Vec<Value> {
    let [one, other] = [1, 2].map(Value::Operand);
    let number = |text| Value::Number(text);
    let call = |name, arguments: &[&Value]| Value::Call(name, arguments.iter().copied().cloned().collect());
    let magnitude = call("abs", &[&one]);
    let mut found = Vec::new();
    for name in FUNCTIONS {
        let is_of_positive = matches!(*name, "sqrt" | "rsqrt" | "log" | "log1p");
        let of = call(name, &[if is_of_positive { &magnitude } else { &one }]);
        found.push(call("stored", &[&of]));
        found.push(of);
    }
    for operator in COMPARISONS {
        found.push(Value::binary(operator, one.clone(), number("1")));
        found.push(Value::binary(operator, one.clone(), other.clone()));
        found.push(call("stored", &[&Value::binary(operator, one.clone(), other.clone())]));
    }
    let below = Value::binary("<", one.clone(), other.clone());
    for name in ["min", "max"] {
        found.push(call(name, &[&one, &other]));
        found.push(call(name, &[&one, &number("1")]));
    }
    found.push(call("pow", &[&magnitude, &number("2")]));
    found.push(call("pow", &[&magnitude, &other]));
    for (then, otherwise) in
        [(&one, &other), (&number("0"), &one), (&other, &number("0")), (&number("2"), &one)]
    {
        found.push(call("select", &[&below, then, otherwise]));
    }
    found.push(call("drop", &[&one, &below]));
    found.push(call("drop", &[&other, &Value::binary("==", one.clone(), number("0"))]));
    found
}

fn kernel(value: Value, format: &str, result: &str, complement: Option<&'static str>, number: u64) -> Kernel {
    let mut rng = Rng::numbered(33, number);
    let mut operand = |format: &str| {
        let positions = positions(&mut rng);
        let mut entries = data::entries(&mut rng, "double", positions);
        if let Some((_, value)) = entries.first_mut() {
            *value = 0.0;
        }
        let format = if format == "Dense" { Format::Dense } else { Format::Other(format.to_owned()) };
        Operand {
            labels: vec![0, 1],
            element: "double",
            format,
            content: Content::File(FileKind::Market, entries),
            part: Vec::new(),
        }
    };
    let mut operands = vec![operand(result), operand(format), operand("CSR")];
    operands[0].content = Content::Nothing;
    let mask = complement.map(|complement| {
        operands.push(operand("DCSR"));
        Mask { operand: 3, complement, method: "" }
    });
    let label = || DrawnLabel { size: SIDE, open: false };
    Kernel {
        labels: vec![label(), label()],
        operands,
        op: "=",
        mask,
        value,
        prints_operands: false,
        rounds: 1,
        again: None,
        schedule: Vec::new(),
        prints_entries: false,
    }
}

fn positions(rng: &mut Rng) -> Vec<Vec<usize>> {
    let all = (0..SIDE * SIDE).map(|place| vec![place / SIDE, place % SIDE]);
    all.filter(|_| rng.percent(50)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_there() {
        assert!(kernels().len() > 7000, "{}", kernels().len());
    }
}
