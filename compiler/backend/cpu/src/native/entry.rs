//! The C entry of an executable.

use super::translate::PROGRAM;
use super::{NativeError, Unit};
use inkwell::AddressSpace;
use inkwell::builder::BuilderError;
use inkwell::module::Linkage;

/// What parses the command line and runs the program, in the runtime.
const RUNTIME_MAIN: &str = "comet_rt_main";

impl Unit<'_> {
    /// Adds `int main(int argc, char **argv) { return comet_rt_main(argc, argv, comet_program); }`.
    pub fn add_entry(&self) -> Result<(), NativeError> {
        self.build_entry().map_err(|error| NativeError::Internal(error.to_string()))
    }

    fn build_entry(&self) -> Result<(), BuilderError> {
        let llvm = self.module.get_context();
        let (int, pointer) = (llvm.i32_type(), llvm.ptr_type(AddressSpace::default()));
        let program = self.module.get_function(PROGRAM).expect("translation names the program");
        let callee_type = int.fn_type(&[int.into(), pointer.into(), pointer.into()], false);
        let callee = self.module.add_function(RUNTIME_MAIN, callee_type, Some(Linkage::External));
        let main_type = int.fn_type(&[int.into(), pointer.into()], false);
        let main = self.module.add_function("main", main_type, Some(Linkage::External));

        let builder = llvm.create_builder();
        builder.position_at_end(llvm.append_basic_block(main, "entry"));
        let mut arguments: Vec<_> = main.get_param_iter().map(Into::into).collect();
        arguments.push(program.as_global_value().as_pointer_value().into());
        let code = builder.build_call(callee, &arguments, "code")?.try_as_basic_value();
        builder.build_return(Some(&code.unwrap_basic()))?;
        Ok(())
    }
}
