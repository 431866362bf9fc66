//! The LLVM dialect as LLVM IR.

use super::variants::declare_variants;
use super::{LlvmContext, NativeError, Target, Unit, gathers};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::{FlagBehavior, Linkage, Module};
use inkwell::values::FunctionValue;
use melior::ir::Module as MlirModule;
use mlir_sys::mlirTranslateModuleToLLVMIR;

/// LLVM's `uwtable(sync)`: what unwinds is a call.
pub(super) const UNWIND_TABLE_OF_CALLS: u64 = 1;

/// The version of DWARF, where there are line tables: clang's.
const DWARF_VERSION: u64 = 5;

/// What the program's `main` is called in LLVM IR: the C name `main` belongs to the entry of the executable.
pub(super) const PROGRAM: &str = "comet_program";

/// How MLIR's names of functions that run ranges of tasks begin. Each is called in up to three places: to
/// have the loops of a kernel so many times would only take the time to compile them.
const OF_TASKS: &str = "parallel_compute_fn";

impl<'llvm> Unit<'llvm> {
    /// The module as LLVM IR. It must be wholly in the LLVM dialect and have a function `main` without
    /// arguments.
    pub fn translate(
        module: &MlirModule<'_>,
        llvm: &'llvm LlvmContext,
        target: Target,
    ) -> Result<Self, NativeError> {
        let unit = Self::translate_private(module, llvm, target)?;
        name_program(&unit.module)?;
        let nounwind = llvm.create_enum_attribute(Attribute::get_named_enum_kind_id("nounwind"), 0);
        for function in unit.module.get_functions() {
            // Neither generated code nor the runtime's C ABI unwinds in a program.
            function.add_attribute(AttributeLoc::Function, nounwind);
        }
        Ok(unit)
    }

    /// The module of a library's kernels as LLVM IR, to which [`Self::add_kernels`] adds what C calls. A
    /// kernel that fails unwinds through its code, which therefore has tables for that.
    pub fn translate_library(
        module: &MlirModule<'_>,
        llvm: &'llvm LlvmContext,
        target: Target,
    ) -> Result<Self, NativeError> {
        let unit = Self::translate_private(module, llvm, target)?;
        let kind = Attribute::get_named_enum_kind_id("uwtable");
        let uwtable = llvm.create_enum_attribute(kind, UNWIND_TABLE_OF_CALLS);
        for function in unit.module.get_functions().filter(|function| function.count_basic_blocks() > 0) {
            function.add_attribute(AttributeLoc::Function, uwtable);
        }
        Ok(unit)
    }

    /// The module as LLVM IR, with every function private to it: the optimizer may inline and drop them.
    fn translate_private(
        module: &MlirModule<'_>,
        llvm: &'llvm LlvmContext,
        target: Target,
    ) -> Result<Self, NativeError> {
        let module = translate_module(module, llvm)?;
        if module.get_global_metadata_size("llvm.dbg.cu") > 0 {
            let version = llvm.i32_type().const_int(DWARF_VERSION, false);
            module.add_basic_value_flag("Dwarf Version", FlagBehavior::Warning, version);
        }
        module.set_triple(&target.machine().get_triple());
        module.set_data_layout(&target.machine().get_target_data().get_data_layout());
        let no_inline = llvm.create_enum_attribute(Attribute::get_named_enum_kind_id("noinline"), 0);
        for function in module.get_functions().filter(|function| function.count_basic_blocks() > 0) {
            function.set_linkage(Linkage::Internal);
            if function.get_name().to_bytes().starts_with(OF_TASKS.as_bytes()) {
                function.add_attribute(AttributeLoc::Function, no_inline);
                set_distinct_arrays(function, llvm);
            }
            match gathers::are_to_be_avoided(function, &target) {
                true => set_cpu(function, (target.cpu(), &format!("{},-avx512f", target.features()))),
                false => set_processor(function, &target),
            }
        }
        declare_variants(&module);
        Ok(Self { module, target })
    }
}

/// States that no two arrays share memory that a function on ranges of tasks gets as arguments: they are the
/// arrays of different tensors, or different arrays of one, each asked for once
/// ([`crate::arrays::check_distinct`]).
fn set_distinct_arrays<'llvm>(function: FunctionValue<'llvm>, llvm: &'llvm LlvmContext) {
    let noalias = llvm.create_enum_attribute(Attribute::get_named_enum_kind_id("noalias"), 0);
    for (number, _) in function.get_param_iter().enumerate().filter(|(_, param)| param.is_pointer_value()) {
        function.add_attribute(AttributeLoc::Param(number as u32), noalias);
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

/// Renames `main`, which is called from outside.
fn name_program(module: &Module<'_>) -> Result<(), NativeError> {
    let program = module
        .get_function("main")
        .ok_or_else(|| NativeError::Internal("the module has no function `main`".to_owned()))?;
    program.set_linkage(Linkage::External);
    program.as_global_value().set_name(PROGRAM);
    Ok(())
}

/// The processor stands on every function: the optimizer's cost models and the JIT look there.
pub(super) fn set_processor(function: FunctionValue<'_>, target: &Target) {
    set_cpu(function, (target.cpu(), target.features()));
}

/// Has a function run on any processor of the family.
pub(super) fn set_any_processor(function: FunctionValue<'_>) {
    set_cpu(function, ("generic", ""));
}

fn set_cpu(function: FunctionValue<'_>, (cpu, features): (&str, &str)) {
    let llvm = function.get_type().get_context();
    let attribute = |name, value| {
        function.add_attribute(AttributeLoc::Function, llvm.create_string_attribute(name, value));
    };
    attribute("target-cpu", cpu);
    attribute("target-features", features);
}
