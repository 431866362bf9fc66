//! Calls of the program's own functions: tensors by reference, scalars by value, the result by name.

use std::collections::BTreeMap;

use comet_syntax::ast::{Expr, Function, Param};

use crate::action;
use crate::constraints::solve;
use crate::declarations::passed_tensor;
use crate::error::{OracleError, Result};
use crate::frame::{Scalar, Variables};
use crate::interpret::Interpreter;
use crate::number::TypedNumber;
use crate::term::Shared;

/// What a call returns.
pub(crate) struct Returned {
    /// The tensor declared as the result.
    pub(crate) tensor: Option<Shared>,
    /// The value of `return`, or of the scalar declared as the result.
    pub(crate) scalar: Option<TypedNumber>,
}

impl Interpreter<'_> {
    /// Calls a function; what takes its result lends it its extents.
    pub(crate) fn call(
        &mut self,
        caller: &Variables,
        function: &Function,
        args: &[Expr],
        extents: Option<&[usize]>,
    ) -> Result<Returned> {
        if args.len() != function.params.len() {
            return Err(OracleError::new(format!(
                "`{}` takes {} arguments",
                function.name.name,
                function.params.len()
            )));
        }
        let tensors = self.passed_tensors(caller, function, args)?;
        let mut dims =
            tensors.iter().map(|(name, tensor)| (name.clone(), tensor.borrow().dims.clone())).collect();
        lend_extents(&mut dims, function, extents);
        let sizes = solve(self.module, self.inputs, function, &dims)?;
        let mut frame = Variables::new(function, tensors, &sizes)?;
        self.pass_scalars(caller, &mut frame, function, args)?;
        let value = self.run(&mut frame, function)?;
        Ok(returned(&frame, function, value))
    }

    /// Tensors by name, and those that other calls return.
    fn passed_tensors(
        &mut self,
        caller: &Variables,
        function: &Function,
        args: &[Expr],
    ) -> Result<BTreeMap<String, Shared>> {
        let mut passed = BTreeMap::new();
        for (param, arg) in function.params.iter().zip(args) {
            let Param::Tensor(decl) = param else { continue };
            let refuse = || OracleError::at(arg.span, "expected a tensor");
            let tensor = match action::tensor_call(self.module, arg) {
                Some((inner, args)) => self.call(caller, inner, args, None)?.tensor.ok_or_else(refuse)?,
                None => caller.tensor(passed_tensor(arg).ok_or_else(refuse)?, arg.span)?,
            };
            passed.insert(decl.name.name.clone(), tensor);
        }
        Ok(passed)
    }

    fn pass_scalars(
        &mut self,
        caller: &Variables,
        frame: &mut Variables,
        function: &Function,
        args: &[Expr],
    ) -> Result<()> {
        for (param, arg) in function.params.iter().zip(args) {
            if let Param::Scalar { element, name, .. } = param {
                let value = self.scalar(caller, arg)?;
                frame.declare(&name.name, Scalar { value: value.to(*element), bare: false });
            }
        }
        if let Some(Param::Scalar { element, name, .. }) = &function.result {
            frame.declare(&name.name, Scalar { value: TypedNumber::zero(*element), bare: false });
        }
        Ok(())
    }

    /// Calls a function for its scalar.
    pub(crate) fn scalar_call(
        &mut self,
        caller: &Variables,
        function: &Function,
        args: &[Expr],
    ) -> Result<TypedNumber> {
        let returned = self.call(caller, function, args, None)?;
        returned.scalar.ok_or_else(|| OracleError::new(format!("`{}` returns no scalar", function.name.name)))
    }
}

fn lend_extents(dims: &mut BTreeMap<String, Vec<usize>>, function: &Function, extents: Option<&[usize]>) {
    if let (Some(Param::Tensor(decl)), Some(extents)) = (&function.result, extents) {
        dims.insert(decl.name.name.clone(), extents.to_vec());
    }
}

fn returned(frame: &Variables, function: &Function, value: Option<TypedNumber>) -> Returned {
    match &function.result {
        Some(Param::Tensor(decl)) => {
            Returned { tensor: frame.tensors.get(&decl.name.name).cloned(), scalar: value }
        }
        Some(Param::Scalar { element, name, .. }) => {
            let by_name = frame.scalars.get(&name.name).map(|scalar| scalar.value);
            Returned { tensor: None, scalar: value.or(by_name).map(|value| value.to(*element)) }
        }
        None => Returned { tensor: None, scalar: value },
    }
}
