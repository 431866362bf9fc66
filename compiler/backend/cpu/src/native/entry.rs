//! The C entry of an executable.

use super::translate::PROGRAM;
use super::{NativeError, Unit};
use comet_abi::functions::{DISTRIBUTED_MAIN, MAIN};
use comet_runtime::distributed::TABLE;
use inkwell::AddressSpace;
use inkwell::builder::BuilderError;
use inkwell::module::Linkage;
use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::BasicMetadataValueEnum;

/// Where a program runs, or the kernels of a library are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Processes {
    /// In one process.
    #[default]
    One,
    /// In as many as MPI starts.
    Several,
}

impl Unit<'_> {
    /// Adds `int main(int argc, char **argv) { return comet_rt_main(argc, argv, comet_program); }`, or
    /// `… comet_rt_main_distributed(argc, argv, comet_program, &comet_mpi)`.
    pub fn add_entry(&self, processes: Processes) -> Result<(), NativeError> {
        self.build_entry(processes).map_err(|error| NativeError::Internal(error.to_string()))
    }

    fn build_entry(&self, processes: Processes) -> Result<(), BuilderError> {
        let llvm = self.module.get_context();
        let (int, pointer) = (llvm.i32_type(), llvm.ptr_type(AddressSpace::default()));
        let program = self.module.get_function(PROGRAM).expect("translation names the program");
        let functions = (processes == Processes::Several)
            .then(|| self.module.add_global(llvm.i8_type(), None, TABLE).as_pointer_value());
        let mut types: Vec<BasicMetadataTypeEnum<'_>> = vec![int.into(), pointer.into(), pointer.into()];
        types.extend(functions.map(|_| BasicMetadataTypeEnum::from(pointer)));
        let main = if functions.is_some() { DISTRIBUTED_MAIN } else { MAIN };
        let callee =
            self.module.add_function(main.symbol, int.fn_type(&types, false), Some(Linkage::External));
        let main_type = int.fn_type(&[int.into(), pointer.into()], false);
        let main = self.module.add_function("main", main_type, Some(Linkage::External));

        let builder = llvm.create_builder();
        builder.position_at_end(llvm.append_basic_block(main, "entry"));
        let mut arguments: Vec<_> = main.get_param_iter().map(Into::into).collect();
        arguments.push(program.as_global_value().as_pointer_value().into());
        arguments.extend(functions.map(BasicMetadataValueEnum::from));
        let code = builder.build_call(callee, &arguments, "code")?.try_as_basic_value();
        builder.build_return(Some(&code.unwrap_basic()))?;
        Ok(())
    }
}
