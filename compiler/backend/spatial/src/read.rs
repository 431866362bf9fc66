//! Operations of spatial as applications.
//!
//! Each statement of an application is an operation, and each part of a value is one; nothing is decided
//! here.

mod accelerator;
mod attributes;
mod declarations;
mod expressions;
mod host;
mod patterns;

use crate::emit::Sources;
use attributes::{text, texts};
use comet_diag::Span;
use comet_dialects::TypedOp;
use comet_dialects::spatial::{
    AccelOperation, AliasOperation, AppOperation, NumberOperation, ParameterOperation, TensorOperation,
};
use comet_ir::Op;
use comet_spatial::app::{App, Host};
use declarations::{alias, parameter, tensor};

/// An application, and what its tensors are around it.
#[derive(Clone, Debug)]
pub struct ReadApp<'c> {
    /// The application.
    pub app: App,
    /// What each tensor is, and each number.
    pub sources: Sources<'c>,
}

/// Reads a `spatial.app` that the verifier has seen.
pub fn read(op: Op<'_>) -> ReadApp<'_> {
    assert!(op.is::<AppOperation<'_>>(), "expected an application, found `{}`", op.name());
    let ops = op.body(0).ops();
    let accel = ops.iter().position(|op| op.is::<AccelOperation<'_>>());
    let (before, after) = ops.split_at(accel.expect("the verifier demands a part for the accelerator"));
    let app = App {
        name: text(op, "name"),
        comment: texts(op, "comment"),
        tensors: all::<TensorOperation<'_>>(&ops).map(tensor).collect(),
        parameters: all::<ParameterOperation<'_>>(&ops).map(parameter).collect(),
        types: all::<AliasOperation<'_>>(&ops).map(alias).collect(),
        arguments: texts(op, "arguments"),
        before: host(before),
        accel: accelerator::block(after[0].body(0)),
        after: host(&after[1..]),
    };
    let sources = all::<TensorOperation<'_>>(&ops).chain(all::<NumberOperation<'_>>(&ops));
    ReadApp { app, sources: sources.map(|op| (text(op, "name"), op.operand(0))).collect() }
}

/// The operations of a type.
fn all<'c, T: TypedOp>(ops: &[Op<'c>]) -> impl Iterator<Item = Op<'c>> {
    ops.iter().copied().filter(|op| op.is::<T>())
}

fn host(ops: &[Op<'_>]) -> Vec<Host> {
    let kinds = ops.iter().filter_map(|op| host::kind(*op));
    kinds.map(|kind| Host { kind, span: Span::default() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw;
    use crate::element::element_type;
    use crate::emit::emit;
    use comet_dialects::registration::dialects;
    use comet_ir::Builder;
    use comet_spatial::app::{Division, Level, LevelKind, Tensor, Type};
    use comet_spatial::lower::lower;
    use comet_spatial::read::read as read_text;
    use melior::Context;
    use melior::dialect::ods::func::FuncOperation;
    use melior::ir::Module;
    use melior::ir::operation::OperationLike;
    use proptest::prelude::*;
    use std::path::Path;

    fn context() -> Context {
        let context = Context::new_with_registry(&dialects(), false);
        for name in ["func", "spatial", "ta"] {
            context.get_or_load_dialect(name);
        }
        context
    }

    /// Whatever a text says comes back.
    #[test]
    fn texts_come_back() {
        let context = context();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../machine/spatial/tests/texts");
        let mut count = 0;
        for entry in folder.read_dir().expect("the folder is there") {
            let path = entry.expect("an entry").path();
            let text = std::fs::read_to_string(&path).expect("a text is text");
            let app = read_text(&text).expect("it can be read").without_spans();
            assert_eq!(again(&context, &app, &[]), app, "{}", path.display());
            count += 1;
        }
        assert!(count > 10, "the texts are there");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        /// So does what the lowering makes.
        #[test]
        fn lowered_applications_come_back(case in draw::case()) {
            let lowered = lower(&case.nest).map(|lowered| lowered.app);
            prop_assume!(lowered.is_ok(), "some numbers of rounds cannot run at once");
            let app = lowered.expect("it is").without_spans();
            prop_assert_eq!(again(&context(), &app, &case.nest.numbers), app);
        }
    }

    /// What becomes of an application that is written and read.
    fn again(context: &Context, app: &App, numbers: &[(String, Type)]) -> App {
        let module = Module::parse(context, &function(context, app, numbers)).expect("it is well formed");
        let function = Op::of_module(&module).descendants::<FuncOperation<'_>>()[0];
        let tensors = app.tensors.iter().map(|tensor| &tensor.name);
        let names = tensors.chain(numbers.iter().map(|(name, _)| name)).enumerate();
        let sources = names.map(|(number, name)| (name.clone(), function.body(0).argument(number))).collect();
        let b = Builder::before(function.body(0).terminator());
        let written = emit(b, app, &sources).unwrap_or_else(|error| panic!("{}", error.text()));
        assert!(written.as_ref().verify(), "{written}");
        let read = read(written);
        assert_eq!(read.sources, sources);
        read.app
    }

    /// A function that has the tensors and the numbers as arguments.
    fn function(context: &Context, app: &App, numbers: &[(String, Type)]) -> String {
        let tensors = app.tensors.iter().map(|tensor| tensor_type(context, tensor));
        let numbers = numbers.iter().map(|(_, ty)| element_text(context, ty));
        let argument = |(number, ty)| format!("%{number}: {ty}");
        let arguments: Vec<String> = tensors.chain(numbers).enumerate().map(argument).collect();
        format!("func.func @application({}) {{ return }}", arguments.join(", "))
    }

    fn tensor_type(context: &Context, tensor: &Tensor) -> String {
        let element = element_text(context, &tensor.element);
        let level = |level: &Level| {
            let part = match level.division {
                Division::None => String::new(),
                Division::Quotient(size) => format!(" floordiv {size}"),
                Division::Remainder(size) => format!(" mod {size}"),
            };
            let kind = if level.kind == LevelKind::Dense { "D" } else { "CU" };
            format!("d{}{part} : {kind}", level.mode)
        };
        let levels: Vec<String> = tensor.levels.iter().map(level).collect();
        match tensor.rank() {
            0 => format!("tensor<{element}>"),
            rank => format!("tensor<{}{element}, #ta.format<[{}]>>", "?x".repeat(rank), levels.join(", ")),
        }
    }

    fn element_text(context: &Context, element: &Type) -> String {
        element_type(context, element).expect("a header has no aliases").to_string()
    }
}
