//===- Comet.h - the C interface of the comet dialects and passes ---*- C -*-===//
//
// What Rust needs of the C++ side: registration, the attributes and types that MLIR's C API cannot build, passes whose work is a
// callback, and the two main functions that only exist in C++.
//
//===----------------------------------------------------------------------===//

#ifndef COMET_CAPI_H
#define COMET_CAPI_H

#include "llvm-c/Types.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Registers the comet dialects and the upstream ones that the pipelines use, with their interfaces for translation to LLVM IR.
void cometRegisterDialects(MlirDialectRegistry registry);

/// Registers the upstream passes that the pipelines use, by their names.
void cometRegisterUpstreamPasses(void);

//===-- #ta.format -----------------------------------------------------------===//

/// One storage level; the numbers are those of comet::ta::LevelKind and comet::ta::LevelExpr.
typedef struct CometLevel {
  int32_t kind;
  int32_t wordBits;
  int32_t expr;
  int64_t mode;
  int64_t factor;
} CometLevel;

MlirAttribute cometTaFormatGet(MlirContext context, intptr_t count, const CometLevel *levels, unsigned indexWidth, int32_t memory);
/// Whether the attribute is a `#ta.format`; false for null.
bool cometAttributeIsTaFormat(MlirAttribute attribute);
intptr_t cometTaFormatGetNumLevels(MlirAttribute format);
CometLevel cometTaFormatGetLevel(MlirAttribute format, intptr_t number);
unsigned cometTaFormatGetIndexWidth(MlirAttribute format);
int32_t cometTaFormatGetMemory(MlirAttribute format);

//===-- #ta.file_mode ----------------------------------------------------------===//

MlirAttribute cometTaFileModeGet(MlirContext context, MlirStringRef source, MlirStringRef tensor, int64_t rank, int64_t mode);
MlirStringRef cometTaFileModeGetSource(MlirAttribute attribute);
MlirStringRef cometTaFileModeGetTensor(MlirAttribute attribute);
int64_t cometTaFileModeGetRank(MlirAttribute attribute);
int64_t cometTaFileModeGetMode(MlirAttribute attribute);

//===-- Types and enumerations ---------------------------------------------------===//

MlirType cometTaRangeTypeGet(MlirContext context);
MlirType cometTaPermutationTypeGet(MlirContext context);
MlirType cometTaLabeledTypeGet(MlirType element);
MlirType cometTaLabeledTypeGetElement(MlirType labeled);
MlirType cometCinIndexTypeGet(MlirContext context);

/// The orders of a `cin.assign`, as `AssignOp::deriveOrders` returns them.
MlirAttribute cometCinAssignOrders(MlirOperation assign, bool *isConcordant);

/// `#arith.fastmath<contract>`, with `reassoc` where asked.
MlirAttribute cometFastMathGet(MlirContext context, bool reassociate);

/// `#llvm.loop_annotation<unroll = <count = …>>`. The LLVM dialect is loaded.
MlirAttribute cometLoopUnrolledGet(MlirContext context, int32_t rounds);

/// `#llvm.loop_annotation<unroll = <disable = true>>`. The LLVM dialect is loaded.
MlirAttribute cometLoopNeverUnrolledGet(MlirContext context);
MlirAttribute cometLoopNotInterleavedGet(MlirContext context);

//===-- Debug information -----------------------------------------------------------===//

/// `#llvm.di_compile_unit` for line tables, of a source file whose name counts from `folder`. The LLVM dialect is loaded.
MlirAttribute cometDebugUnitGet(MlirContext context, MlirStringRef file, MlirStringRef folder);

/// `#llvm.di_subprogram`: a function of a unit that is defined in a line of a file, which may be another than the unit's.
MlirAttribute cometDebugFunctionGet(MlirAttribute unit, MlirStringRef name, MlirStringRef file, uint32_t line);

/// `#llvm.di_lexical_block_file`: what a function has from another file.
MlirAttribute cometDebugFileGet(MlirAttribute function, MlirStringRef file);

/// Has the instructions of a function in LLVM IR come from the line that another one begins in, where that has line tables.
void cometDebugScopeAs(LLVMValueRef function, LLVMValueRef other);

//===-- Effects ------------------------------------------------------------------===//

/// What an operation and those inside of it do to memory.
typedef enum CometEffects {
  CometEffectsNone = 0,
  CometEffectsReads = 1,
  /// It writes, or does not say.
  CometEffectsOther = 2,
} CometEffects;

CometEffects cometOperationEffects(MlirOperation operation);

//===-- Passes ---------------------------------------------------------------------===//

/// An option of a pass: its name, its default and its description.
typedef struct CometPassOption {
  MlirStringRef name;
  MlirStringRef defaultValue;
  MlirStringRef description;
} CometPassOption;

/// Does a pass's work on a module; `values` are its options' values in the order of their declaration. False is failure.
typedef bool (*CometPassCallback)(void *userData, MlirOperation module, const MlirStringRef *values, intptr_t count);

/// Registers a module pass under `argument`, for textual pipelines, `--help`, timing and reproducers. The strings are copied; `userData` must live as
/// long as the process. `dialects` are the names of those that it may create operations of.
void cometRegisterPass(MlirStringRef argument, MlirStringRef description, intptr_t optionCount, const CometPassOption *options,
                       intptr_t dialectCount, const MlirStringRef *dialects, CometPassCallback callback, void *userData);

/// Registers a named pipeline that stands for the textual one.
void cometRegisterPipeline(MlirStringRef argument, MlirStringRef description, MlirStringRef pipeline);

//===-- Diagnostics ----------------------------------------------------------------===//

/// Reports a remark at a place. The message is copied.
void cometEmitRemark(MlirLocation location, MlirStringRef message);

//===-- Tools ------------------------------------------------------------------------===//

/// Passes the names of the processors that run a triple's code to `callback`, sorted; none where the target is not initialized.
void cometForEachProcessor(MlirStringRef triple, MlirStringCallback callback, void *userData);

/// Passes the names of a processor's features to `callback`.
void cometForEachFeature(MlirStringRef triple, MlirStringRef cpu, MlirStringCallback callback, void *userData);

/// Lowers the `.ta` file `path` and passes its module as text to `append` with `userData`. False is failure, which it has reported.
typedef bool (*CometReadSource)(MlirStringRef path, MlirStringCallback append, void *userData);

/// MlirOptMain with the given registry, and with `readSource` for input files whose name ends in `.ta`.
int cometOptMain(int argc, char **argv, MlirDialectRegistry registry, MlirStringRef toolName, CometReadSource readSource);

#ifdef __cplusplus
}
#endif

#endif // COMET_CAPI_H
