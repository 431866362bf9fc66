//! A unit in two halves that two threads compile.
//!
//! A kernel is some functions of many instructions: what tasks do, what is done where there is one task only,
//! what starts tasks. LLVM compiles a module on one thread, and takes most of the time until a kernel can be
//! called for the first time. So the functions are divided into two halves of about the same size, and each
//! becomes a module in an LLVM context of its own, in which the functions of the other are declared only:
//! ```text
//! kernel.f                  parallel_compute_fn, async_execute_fn, f.body
//! declare f.body, …         declare kernel.f
//! ```
//! Small functions stay in both, to be inlined, and so do functions that vector code has variants of. Others
//! are not inlined from one half into the other.

use super::target::Target;
use super::{CodeKind, LlvmContext, NativeError, Optimization, Unit};
use crate::expand_functions::PREFIX;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{Linkage, Module};
use inkwell::values::{FunctionValue, GlobalValue};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::thread;

/// The least instructions of a half, before they are optimized, that are worth a thread.
const LEAST: usize = 300;

/// The most instructions of a function that both halves have.
const SMALL: usize = 40;

/// The bytes of the stack of the second thread: as many as the system gives a process, since LLVM's
/// recursions are as deep as expressions.
const STACK: usize = 8 << 20;

impl Unit<'_> {
    /// Optimizes the unit, and generates its code, for [`super::KernelCode::load`]: the objects of both
    /// halves, or one object where a half is small, or there is one processor.
    ///
    /// # Errors
    /// What LLVM refuses.
    pub fn into_kernel_code(self) -> Result<Vec<u8>, NativeError> {
        let Some([first, second]) = self.halves() else {
            self.optimize()?;
            return Ok(join(&[self.code(CodeKind::Object)?]));
        };
        let bitcode = self.module.write_bitcode_to_memory();
        let bitcode = &bitcode.as_slice()[..bitcode.get_size()];
        let target = self.target.maker();
        let compiled = |[own, others]: [&HashSet<String>; 2]| compile_half(bitcode, own, others, target()?);
        thread::scope(|scope| {
            let of_second = || compiled([&second, &first]);
            let spawned = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, of_second);
            let own = compiled([&first, &second])?;
            let others = match spawned {
                Ok(spawned) => spawned.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                // The system grants no thread.
                Err(_) => of_second(),
            }?;
            Ok(join(&[own, others]))
        })
    }

    /// Returns the names of the functions of each half, where both are worth a thread.
    fn halves(&self) -> Option<[HashSet<String>; 2]> {
        let is_alone = thread::available_parallelism().map_or(1, usize::from) == 1;
        if is_alone || self.target.optimization() == Optimization::O0 || has_variables(&self.module) {
            return None;
        }
        let mut functions: Vec<(usize, String)> =
            defined(&self.module).map(|function| (size(function), name(function))).collect();
        functions.sort_by_key(|(size, _)| Reverse(*size));
        let mut halves = [HashSet::new(), HashSet::new()];
        let mut sizes = [0, 0];
        let is_in_both =
            |size: usize, name: &str| name.starts_with(PREFIX) || (size <= SMALL && !self.exports(name));
        for (size, name) in functions.into_iter().filter(|(size, name)| !is_in_both(*size, name)) {
            let smaller = usize::from(sizes[1] < sizes[0]);
            sizes[smaller] += size;
            halves[smaller].insert(name);
        }
        sizes.iter().all(|size| *size >= LEAST).then_some(halves)
    }

    fn exports(&self, name: &str) -> bool {
        self.module.get_function(name).is_some_and(|function| function.get_linkage() == Linkage::External)
    }
}

/// The object of some functions of a module, which may call others of it.
fn compile_half(
    bitcode: &[u8],
    own: &HashSet<String>,
    others: &HashSet<String>,
    target: Target,
) -> Result<Vec<u8>, NativeError> {
    let context = LlvmContext::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(bitcode, "kernels");
    let module = Module::parse_bitcode_from_buffer(&buffer, &context)
        .map_err(|error| NativeError::Internal(format!("LLVM does not read its bitcode: {error}")))?;
    let functions: Vec<FunctionValue<'_>> = defined(&module).collect();
    for function in functions {
        match name(function) {
            name if others.contains(&name) => declare_only(&module, function),
            name if own.contains(&name) => function.set_linkage(Linkage::External),
            _ => {}
        }
    }
    let unit = Unit { module, target };
    unit.optimize()?;
    unit.code(CodeKind::Object)
}

/// Objects one after the other, each with the number of its bytes in front.
fn join(objects: &[Vec<u8>]) -> Vec<u8> {
    objects.iter().flat_map(|object| [&object.len().to_le_bytes()[..], object].concat()).collect()
}

/// The objects that [`Unit::into_kernel_code`] has returned; `None` where the bytes are others.
pub(super) fn objects(mut code: &[u8]) -> Option<Vec<&[u8]>> {
    let mut objects = Vec::new();
    while !code.is_empty() {
        let (len, rest) = code.split_first_chunk()?;
        let (object, rest) = rest.split_at_checked(usize::from_le_bytes(*len))?;
        objects.push(object);
        code = rest;
    }
    Some(objects)
}

/// Leaves the declaration of a function.
fn declare_only<'llvm>(module: &Module<'llvm>, function: FunctionValue<'llvm>) {
    let name = name(function);
    function.as_global_value().set_name("");
    let declared = module.add_function(&name, function.get_type(), Some(Linkage::External));
    function.replace_all_uses_with(declared);
    // SAFETY: nothing refers to it any more.
    unsafe { function.delete() }
}

/// Whether a module has variables: both halves would have one each.
fn has_variables(module: &Module<'_>) -> bool {
    let is_defined = |global: &GlobalValue<'_>| global.get_initializer().is_some();
    module.get_globals().filter(is_defined).any(|global| !global.is_constant() && !is_of_llvm(global))
}

/// Whether a global is a list for LLVM, as `llvm.compiler.used`.
fn is_of_llvm(global: GlobalValue<'_>) -> bool {
    global.get_name().to_bytes().starts_with(b"llvm.")
}

fn defined<'llvm>(module: &Module<'llvm>) -> impl Iterator<Item = FunctionValue<'llvm>> {
    module.get_functions().filter(|function| function.count_basic_blocks() > 0)
}

fn size(function: FunctionValue<'_>) -> usize {
    function.get_basic_block_iter().flat_map(|block| block.get_instructions()).count()
}

fn name(function: FunctionValue<'_>) -> String {
    function.get_name().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_objects_come_apart_again() {
        let all = [b"ab".to_vec(), Vec::new(), b"c".to_vec()];
        let code = join(&all);
        assert_eq!(objects(&code), Some(vec![&b"ab"[..], b"", b"c"]));
        assert_eq!(objects(&code[..code.len() - 1]), None);
        assert_eq!(objects(&code[..9]), None);
        assert_eq!(objects(b""), Some(Vec::new()));
    }
}
