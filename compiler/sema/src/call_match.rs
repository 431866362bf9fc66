//! What binds an argument to its parameter: rank, element type and format are the same, and so are extents.

use std::collections::HashMap;

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::Ident;

use crate::function::Checker;
use crate::program::{CallArg, Function, ParamId, SizeId, TensorId};
use crate::signature::{Parameter, ParameterShape};
use crate::sizes::{NodeId, StatedExtent};

impl Checker<'_> {
    /// Whether `tensor` can take the result.
    pub(crate) fn result_fits(&mut self, index: usize, callee: &Ident, tensor: TensorId) -> bool {
        let signature = &self.file.signatures.functions[index];
        signature.result.as_ref().is_some_and(|result| self.matches(tensor, result, "result", callee.span))
    }

    /// Whether a tensor can be passed as a parameter, or take a result: the kernel is compiled for one
    /// format. `role` is what messages call `param`.
    pub(crate) fn matches(&mut self, tensor: TensorId, param: &Parameter, role: &str, place: Span) -> bool {
        let ParameterShape::Tensor { rank, storage } = &param.shape else { return false };
        let info = &self.scope.tensors[tensor.0];
        let (name, wanted) = (&info.name.name, &param.name.name);
        let copy = format!("copy `{name}` into a tensor declared like the {role} `{wanted}`, and use that");
        let mismatch = if info.rank() != *rank {
            let message =
                format!("`{name}` has rank {}, but the {role} `{wanted}` has rank {rank}", info.rank());
            Some((message, format!("use a tensor of rank {rank} here")))
        } else if info.element != param.element {
            let (found, expected) = (info.element.word(), param.element.word());
            Some((format!("`{name}` holds `{found}`, but the {role} `{wanted}` holds `{expected}`"), copy))
        } else {
            let formats = info.storage.as_ref().zip(storage.as_ref());
            let differ = formats.is_some_and(|(found, expected)| found.format != expected.format);
            differ.then(|| (format!("`{name}` and the {role} `{wanted}` have different formats"), copy))
        };
        let Some((message, hint)) = mismatch else { return true };
        self.diagnostics.push(
            Diagnostic::error(place, message)
                .also(info.span, format!("`{name}` is declared here"))
                .also(param.span, format!("the {role} `{wanted}` is declared here"))
                .hint(hint),
        );
        false
    }

    /// Extents that are equal in the callee are equal in its arguments, and numbers hold for both.
    pub(crate) fn unify_call(
        &mut self,
        index: usize,
        place: Span,
        args: &[CallArg],
        result: Option<TensorId>,
    ) -> Option<()> {
        // A callee with errors of its own says nothing of its extents.
        let callee = self.file.checked[index].as_ref()?;
        let given = args.iter().map(|arg| match arg {
            CallArg::Tensor(tensor) => Some(*tensor),
            CallArg::Scalar(_) => None,
        });
        let declared = callee.params.iter().copied().chain(callee.result);
        let mut classes: HashMap<SizeId, NodeId> = HashMap::new();
        for (param, tensor) in declared.zip(given.chain([result])) {
            let (ParamId::Tensor(param), Some(tensor)) = (param, tensor) else { continue };
            let modes = self.scope.tensors[tensor.0].modes.clone();
            for (&size, node) in callee.tensors[param.0].dims.iter().zip(modes) {
                self.unify_with_class(callee, size, node, &mut classes, place);
            }
        }
        Some(())
    }

    fn unify_with_class(
        &mut self,
        callee: &Function,
        size: SizeId,
        node: NodeId,
        classes: &mut HashMap<SizeId, NodeId>,
        place: Span,
    ) {
        if let Some(&first) = classes.get(&size) {
            self.sizes.unify(first, node, place, &mut self.diagnostics);
            return;
        }
        classes.insert(size, node);
        let Some(value) = callee.sizes[size.0].known else { return };
        let known = StatedExtent { value, span: callee.sizes[size.0].span };
        self.sizes.fix(node, known, place, &mut self.diagnostics);
    }
}
