//! The C interface of the C++ half: `capi/Comet.h`.

use mlir_sys::{
    MlirAttribute, MlirContext, MlirDialectRegistry, MlirLocation, MlirOperation, MlirStringCallback,
    MlirStringRef, MlirType,
};
use std::ffi::{c_char, c_int, c_void};

/// One storage level, as `CometLevel` in `capi/Comet.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CometLevel {
    pub kind: i32,
    pub word_bits: i32,
    pub expr: i32,
    pub mode: i64,
    pub factor: i64,
}

/// An option of a pass, as `CometPassOption` in `capi/Comet.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CometPassOption {
    pub name: MlirStringRef,
    pub default_value: MlirStringRef,
    pub description: MlirStringRef,
}

/// The work of a pass: its user data, the module, its options' values. False is failure.
pub type CometPassCallback = unsafe extern "C" fn(
    user_data: *mut c_void,
    module: MlirOperation,
    values: *const MlirStringRef,
    count: isize,
) -> bool;

/// What lowers a `.ta` file for `cometOptMain`: its path, and where its module's text goes. False is failure.
pub type CometReadSource =
    unsafe extern "C" fn(path: MlirStringRef, append: MlirStringCallback, user_data: *mut c_void) -> bool;

unsafe extern "C" {
    pub fn cometRegisterDialects(registry: MlirDialectRegistry);
    pub fn cometRegisterUpstreamPasses();

    pub fn cometTaFormatGet(
        context: MlirContext,
        count: isize,
        levels: *const CometLevel,
        index_width: u32,
        memory: i32,
    ) -> MlirAttribute;
    pub fn cometAttributeIsTaFormat(attribute: MlirAttribute) -> bool;
    pub fn cometTaFormatGetNumLevels(format: MlirAttribute) -> isize;
    pub fn cometTaFormatGetLevel(format: MlirAttribute, number: isize) -> CometLevel;
    pub fn cometTaFormatGetIndexWidth(format: MlirAttribute) -> u32;
    pub fn cometTaFormatGetMemory(format: MlirAttribute) -> i32;

    pub fn cometTaFileModeGet(
        context: MlirContext,
        source: MlirStringRef,
        tensor: MlirStringRef,
        rank: i64,
        mode: i64,
    ) -> MlirAttribute;
    pub fn cometTaFileModeGetSource(attribute: MlirAttribute) -> MlirStringRef;
    pub fn cometTaFileModeGetTensor(attribute: MlirAttribute) -> MlirStringRef;
    pub fn cometTaFileModeGetRank(attribute: MlirAttribute) -> i64;
    pub fn cometTaFileModeGetMode(attribute: MlirAttribute) -> i64;

    pub fn cometTaRangeTypeGet(context: MlirContext) -> MlirType;
    pub fn cometTaPermutationTypeGet(context: MlirContext) -> MlirType;
    pub fn cometTaLabeledTypeGet(element: MlirType) -> MlirType;
    pub fn cometTaLabeledTypeGetElement(labeled: MlirType) -> MlirType;
    pub fn cometCinIndexTypeGet(context: MlirContext) -> MlirType;
    pub fn cometCinAssignOrders(assign: MlirOperation, is_concordant: *mut bool) -> MlirAttribute;
    pub fn cometFastMathGet(context: MlirContext, reassociate: bool) -> MlirAttribute;
    pub fn cometLoopUnrolledGet(context: MlirContext, rounds: i32) -> MlirAttribute;
    pub fn cometLoopNeverUnrolledGet(context: MlirContext) -> MlirAttribute;
    pub fn cometLoopNotInterleavedGet(context: MlirContext) -> MlirAttribute;

    pub fn cometDebugUnitGet(
        context: MlirContext,
        file: MlirStringRef,
        folder: MlirStringRef,
    ) -> MlirAttribute;
    pub fn cometDebugFunctionGet(
        unit: MlirAttribute,
        name: MlirStringRef,
        file: MlirStringRef,
        line: u32,
    ) -> MlirAttribute;
    pub fn cometDebugFileGet(function: MlirAttribute, file: MlirStringRef) -> MlirAttribute;
    /// Both are `LLVMValueRef`s of functions of one module.
    pub fn cometDebugScopeAs(function: *mut c_void, other: *mut c_void);

    pub fn cometOperationEffects(operation: MlirOperation) -> c_int;

    pub fn cometRegisterPass(
        argument: MlirStringRef,
        description: MlirStringRef,
        option_count: isize,
        options: *const CometPassOption,
        dialect_count: isize,
        dialects: *const MlirStringRef,
        callback: CometPassCallback,
        user_data: *mut c_void,
    );
    pub fn cometRegisterPipeline(
        argument: MlirStringRef,
        description: MlirStringRef,
        pipeline: MlirStringRef,
    );
    pub fn cometEmitRemark(location: MlirLocation, message: MlirStringRef);
    pub fn cometForEachProcessor(triple: MlirStringRef, callback: MlirStringCallback, user_data: *mut c_void);
    pub fn cometForEachFeature(
        triple: MlirStringRef,
        cpu: MlirStringRef,
        callback: MlirStringCallback,
        user_data: *mut c_void,
    );
    pub fn cometOptMain(
        argc: c_int,
        argv: *mut *mut c_char,
        registry: MlirDialectRegistry,
        tool_name: MlirStringRef,
        read_source: CometReadSource,
    ) -> c_int;
}
