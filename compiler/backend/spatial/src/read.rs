//! Operations of spatial as applications.
//!
//! Each statement of an application is an operation, and each part of a value is one; nothing is decided
//! here.

mod statements;
mod values;

use crate::element::of_type;
use crate::emit::Sources;
use crate::statement::known;
use crate::words::SameWords;
use comet_diag::Span;
use comet_ir::spatial::{self as ops, Spatial};
use comet_ir::{Op, format, types};
use comet_spatial::app::{App, Host, Parameter, Tensor};
use melior::ir::ValueLike;
use statements::{block, host};
use values::named_type;

/// An application, and what its tensors are around it.
#[derive(Clone, Debug)]
pub struct ReadApp<'c> {
    /// The application.
    pub app: App,
    /// The values of its tensors and numbers, by their names.
    pub sources: Sources<'c>,
}

/// Reads a `spatial.app` that the verifier has seen.
pub fn read(op: ops::App<'_>) -> ReadApp<'_> {
    let mut app = App {
        name: op.name().to_owned(),
        comment: op.comment().unwrap_or_default(),
        tensors: Vec::new(),
        parameters: Vec::new(),
        types: Vec::new(),
        arguments: op.arguments().unwrap_or_default(),
        before: Vec::new(),
        accel: Vec::new(),
        after: Vec::new(),
    };
    let mut sources = Sources::new();
    let mut is_after = false;
    for op in op.body().ops() {
        match spatial(op) {
            Spatial::Tensor(tensor) => {
                sources.insert(tensor.name().to_owned(), tensor.source());
                app.tensors.push(read_tensor(tensor));
            }
            Spatial::Number(number) => {
                sources.insert(number.name().to_owned(), number.source());
            }
            Spatial::Parameter(parameter) => app.parameters.push(Parameter {
                name: parameter.name().to_owned(),
                value: parameter.value(),
                span: Span::default(),
            }),
            Spatial::Alias(alias) => {
                app.types.push((alias.name().to_owned(), named_type(alias.alias(), alias.r#type())));
            }
            Spatial::Accel(accel) => {
                app.accel = block(accel.body());
                is_after = true;
            }
            other => {
                let host = host(other).map(|kind| Host { kind, span: Span::default() });
                (if is_after { &mut app.after } else { &mut app.before }).extend(host);
            }
        }
    }
    ReadApp { app, sources }
}

/// How a tensor is stored is in its type.
fn read_tensor(op: ops::Tensor<'_>) -> Tensor {
    let ty = op.source().r#type();
    let levels = format::of_type(ty).levels.into_iter().map(|level| {
        known(&level).expect("the verifier demands levels that are D or CU, of modes or tiles of them")
    });
    Tensor {
        name: op.name().to_owned(),
        element: of_type(types::element(ty)),
        levels: levels.collect(),
        role: op.role().same_word(),
    }
}

fn spatial(op: Op<'_>) -> Spatial<'_> {
    Spatial::of(op).expect("an application holds operations of spatial")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw;
    use crate::element::element_type;
    use crate::emit::emit;
    use comet_dialects::registration::dialects;
    use comet_ir::Builder;
    use comet_spatial::app::{Division, Level, Tensor, Type};
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
            let app = read_text(&text).expect("it can be read");
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
            let app = lowered.expect("it is");
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
        assert!(written.as_ref().verify(), "{}", *written);
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
            let kind = level.kind.word();
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
