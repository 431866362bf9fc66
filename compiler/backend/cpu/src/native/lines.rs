//! Line tables: the places in the `.ta` file that operations carry, as LLVM takes them.
//!
//! ```text
//! %0 = llvm.fmul … loc(fused["a.ta":3:3 to :30, …])
//! %0 = llvm.fmul … loc("a.ta":3:3)
//! ```
//! MLIR translates a location of an operation where the function has a scope. It merges places that are
//! fused, and two different lines become line 0: so an operation keeps its own place alone.

use comet_dialects::ffi;
use comet_ir::debug_info::{self, FunctionSource};
use comet_ir::{Attr, Loc, Op, location};
use inkwell::values::{AsValueRef as _, FunctionValue};
use melior::dialect::ods::llvm::LLVMFuncOperation;
use melior::ir::Module;
use melior::ir::attribute::StringAttribute;
use std::path::Path;

/// Stands in front of the names of kernels in a module.
const OF_KERNELS: &str = "kernel.";

/// Has the translation of a module in the LLVM dialect write line tables. Names of files count from `folder`.
pub fn add_lines(module: &Module<'_>, folder: &Path) {
    let module = Op::of_module(module);
    let Some(file) = SourceLine::of(module.location()).map(|place| place.file) else { return };
    let unit = debug_info::unit(module.context(), &file, &folder.to_string_lossy());
    for function in module.descendants::<LLVMFuncOperation>() {
        if let Some(place) = place_of_function(function) {
            add_scope(function, &place, unit);
        }
    }
}

/// A line of a source file, with a column.
#[derive(Clone, PartialEq, Eq)]
struct SourceLine {
    file: String,
    line: u32,
    column: u32,
}

impl SourceLine {
    fn of(location: Loc<'_>) -> Option<Self> {
        let range = location::range(location)?;
        Some(Self {
            file: range.file_line_col_range_filename().as_string_ref().as_str().ok()?.to_owned(),
            line: range.file_line_col_range_start_line() as u32,
            column: range.file_line_col_range_start_column() as u32,
        })
    }
}

/// Returns the place of a function with a body, or of the first operation in it that has one.
fn place_of_function(function: Op<'_>) -> Option<SourceLine> {
    let (mut of_body, mut has_body) = (None, false);
    function.for_each_inside(&mut |op| {
        has_body = true;
        of_body = of_body.take().or_else(|| SourceLine::of(op.location()));
    });
    has_body.then(|| SourceLine::of(function.location()).or(of_body)).flatten()
}

/// Makes a function the scope of its operations. Those without a place get the function's: LLVM demands one
/// of every call that may be inlined.
fn add_scope<'c>(function: Op<'c>, place: &SourceLine, unit: Attr<'c>) {
    let name = function.attribute("sym_name").and_then(|name| StringAttribute::try_from(name).ok());
    let name = name.map_or("", |name| name.value());
    let name = name.strip_prefix(OF_KERNELS).unwrap_or(name);
    let source = FunctionSource { name, file: &place.file, line: place.line };
    let scope = debug_info::function(unit, source);
    let context = function.context();
    let at = |place: &SourceLine| Loc::new(context, &place.file, place.line as usize, place.column as usize);
    function.for_each_inside(&mut |op| {
        let own = SourceLine::of(op.location()).unwrap_or_else(|| place.clone());
        op.set_location(match own.file == place.file {
            true => at(&own),
            false => Loc::fused(context, &[at(&own)], debug_info::other_file(scope, &own.file)),
        });
    });
    function.set_location(Loc::fused(context, &[at(place)], scope));
}

/// Gives a function that is added to a translated module the line that another one of it begins in, where
/// there are line tables: what is inlined into a function without a scope loses its lines.
pub(super) fn add_scope_as<'llvm>(function: FunctionValue<'llvm>, other: FunctionValue<'llvm>) {
    // SAFETY: both functions live, in one module.
    unsafe { ffi::cometDebugScopeAs(function.as_value_ref().cast(), other.as_value_ref().cast()) }
}
