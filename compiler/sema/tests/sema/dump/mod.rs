//! A checked program as text, with every reduction written out; for the snapshots of these tests.

mod expr;
mod stmt;
mod tables;

use comet_sema::program::{Function, LabelId, Number, ParamId, Program, ScalarId, TensorId};

/// The program as text: the tables of each function, then its statements.
pub(crate) fn dump(program: &Program) -> String {
    program.functions.iter().map(|function| Dump { function }.function()).collect()
}

#[derive(Clone, Copy)]
struct Dump<'a> {
    function: &'a Function,
}

impl Dump<'_> {
    fn function(self) -> String {
        let params: Vec<&str> = self.function.params.iter().map(|&param| self.param(param)).collect();
        let result = self.function.result.map(|result| format!(" -> {}", self.param(result)));
        let header =
            format!("def {}({}){}\n", self.function.name, params.join(", "), result.unwrap_or_default());
        header + &self.tables() + &self.block(&self.function.body, 1)
    }

    fn param(&self, param: ParamId) -> &str {
        match param {
            ParamId::Tensor(tensor) => self.tensor(tensor),
            ParamId::Scalar(scalar) => self.scalar(scalar),
        }
    }

    fn tensor(&self, id: TensorId) -> &str {
        self.function.tensors.get(id.0).map_or("?", |tensor| &tensor.name)
    }

    fn scalar(&self, id: ScalarId) -> &str {
        self.function.scalars.get(id.0).map_or("?", |scalar| &scalar.name)
    }

    fn labels(&self, ids: &[LabelId]) -> String {
        let name = |id: &LabelId| self.function.labels.get(id.0).map_or("?", |label| label.name.as_str());
        ids.iter().map(name).collect::<Vec<_>>().join(",")
    }
}

/// A float always shows that it is one.
fn number(number: Number) -> String {
    match number {
        Number::Int(value) => value.to_string(),
        Number::Float(value) => format!("{value:?}"),
    }
}
