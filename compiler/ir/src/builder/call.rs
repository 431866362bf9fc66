//! Calls of the run time's functions.

use super::Builder;
use crate::{Attr, Op, Result, Ty, Val};
use melior::ir::attribute::{FlatSymbolRefAttribute, StringAttribute, TypeAttribute};
use melior::ir::r#type::FunctionType;
use melior::ir::{Region, ValueLike};

impl<'c> Builder<'c> {
    /// Calls a function of the module by name.
    pub fn call(self, callee: &str, arguments: &[Val<'c>], results: &[Ty<'c>]) -> Result<'c, Op<'c>> {
        let callee = FlatSymbolRefAttribute::new(self.context(), callee).into();
        self.op("func.call", arguments, results, &[("callee", callee)])
    }

    /// Declares a function of the run time.
    pub fn declare_function(self, name: &str, inputs: &[Ty<'c>], results: &[Ty<'c>]) -> Result<'c, Op<'c>> {
        let ty = FunctionType::new(self.context(), inputs, results).into();
        let attributes = [
            ("sym_name", StringAttribute::new(self.context(), name).into()),
            ("function_type", TypeAttribute::new(ty).into()),
            ("sym_visibility", StringAttribute::new(self.context(), "private").into()),
        ];
        self.op_with_regions("func.func", &[], &[], &attributes, vec![Region::new()])
    }

    /// Defines a function with an empty body.
    pub fn define_function(self, name: &str, inputs: &[Ty<'c>], results: &[Ty<'c>]) -> Result<'c, Op<'c>> {
        let ty = FunctionType::new(self.context(), inputs, results).into();
        let attributes = [
            ("sym_name", StringAttribute::new(self.context(), name).into()),
            ("function_type", TypeAttribute::new(ty).into()),
            ("llvm.emit_c_interface", Attr::unit(self.context())),
        ];
        let body = self.region(inputs);
        self.op_with_regions("func.func", &[], &[], &attributes, vec![body])
    }

    /// Defines a function that only its module calls; returns a builder for its empty body.
    pub fn define_private_function(
        self,
        name: &str,
        inputs: &[Ty<'c>],
        results: &[Ty<'c>],
    ) -> Result<'c, Self> {
        let ty = FunctionType::new(self.context(), inputs, results).into();
        let attributes = [
            ("sym_name", StringAttribute::new(self.context(), name).into()),
            ("function_type", TypeAttribute::new(ty).into()),
            ("sym_visibility", StringAttribute::new(self.context(), "private").into()),
        ];
        let body = self.region(inputs);
        let function = self.op_with_regions("func.func", &[], &[], &attributes, vec![body])?;
        Ok(self.inside(function.body(0)))
    }

    pub fn return_values(self, values: &[Val<'c>]) -> Result<'c, Op<'c>> {
        self.op("func.return", values, &[], &[])
    }

    pub fn types_of(self, values: &[Val<'c>]) -> Vec<Ty<'c>> {
        values.iter().map(|value| value.r#type()).collect()
    }
}
