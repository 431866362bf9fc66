//! The LLVM dialect as LLVM IR.

use super::{LlvmContext, NativeError, Target, Unit};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::{Linkage, Module};
use inkwell::values::FunctionValue;
use melior::ir::Module as MlirModule;
use mlir_sys::mlirTranslateModuleToLLVMIR;

/// What the program's `main` is called in LLVM IR: the C name `main` belongs to the entry of the executable.
pub(super) const PROGRAM: &str = "comet_program";

impl<'llvm> Unit<'llvm> {
    /// The module as LLVM IR. It must be wholly in the LLVM dialect and have a function `main` without
    /// arguments.
    pub fn translate(
        module: &MlirModule<'_>,
        llvm: &'llvm LlvmContext,
        target: Target,
    ) -> Result<Self, NativeError> {
        let module = translate_module(module, llvm)?;
        module.set_triple(&target.machine().get_triple());
        module.set_data_layout(&target.machine().get_target_data().get_data_layout());
        keep_only_program(&module)?;
        for function in module.get_functions() {
            set_attributes(function, llvm, &target);
        }
        Ok(Self { module, target })
    }
}

fn translate_module<'llvm>(
    module: &MlirModule<'_>,
    llvm: &'llvm LlvmContext,
) -> Result<Module<'llvm>, NativeError> {
    // SAFETY: the operation and the context live; the translation makes a new module in that context.
    let raw = unsafe { mlirTranslateModuleToLLVMIR(module.as_operation().to_raw(), llvm.raw().cast()) };
    if raw.is_null() {
        return Err(NativeError::Internal(
            "the module has operations that LLVM IR has no words for".to_owned(),
        ));
    }
    // SAFETY: the module is new, belongs to `llvm`, and nobody else owns it.
    Ok(unsafe { Module::new(raw.cast()) })
}

/// Renames `main` and makes every other function private to the module, so that the optimizer may inline
/// and drop it.
fn keep_only_program(module: &Module<'_>) -> Result<(), NativeError> {
    let program = module
        .get_function("main")
        .ok_or_else(|| NativeError::Internal("the module has no function `main`".to_owned()))?;
    for function in module.get_functions().filter(|function| function.count_basic_blocks() > 0) {
        function.set_linkage(Linkage::Internal);
    }
    program.set_linkage(Linkage::External);
    program.as_global_value().set_name(PROGRAM);
    Ok(())
}

/// The processor stands on every function: the optimizer's cost models and the JIT look there.
fn set_attributes(function: FunctionValue<'_>, llvm: &LlvmContext, target: &Target) {
    let nounwind = llvm.create_enum_attribute(Attribute::get_named_enum_kind_id("nounwind"), 0);
    // Neither generated code nor the runtime's C ABI unwinds.
    function.add_attribute(AttributeLoc::Function, nounwind);
    if function.count_basic_blocks() > 0 {
        function
            .add_attribute(AttributeLoc::Function, llvm.create_string_attribute("target-cpu", target.cpu()));
        function.add_attribute(
            AttributeLoc::Function,
            llvm.create_string_attribute("target-features", target.features()),
        );
    }
}
