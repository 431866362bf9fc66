//! Code as text, assembly and objects.

use super::{NativeError, Unit};
use inkwell::targets::FileType;

/// What the code generator writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeKind {
    Assembly,
    Object,
}

impl Unit<'_> {
    pub fn ir_text(&self) -> String {
        self.module.print_to_string().to_string()
    }

    pub fn code(&self, kind: CodeKind) -> Result<Vec<u8>, NativeError> {
        let file_type = match kind {
            CodeKind::Assembly => FileType::Assembly,
            CodeKind::Object => FileType::Object,
        };
        let buffer = self
            .target
            .machine()
            .write_to_memory_buffer(&self.module, file_type)
            .map_err(|error| NativeError::Internal(format!("LLVM's code generator failed: {error}")))?;
        // A memory buffer ends in a zero byte that is not part of its content, and inkwell's slice may hold
        // it.
        Ok(buffer.as_slice()[..buffer.get_size()].to_vec())
    }
}
