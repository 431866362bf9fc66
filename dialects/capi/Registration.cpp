//===- Registration.cpp - the dialects and upstream passes that are used ---------===//
//
// Only what the pipelines use: every dialect and pass registered here is linked into every binary.
//
//===----------------------------------------------------------------------===//

#include "Comet.h"

#include "CinDialect.h"
#include "SamDialect.h"
#include "SpatialDialect.h"
#include "TaDialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Async/Passes.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/InlinerInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void cometRegisterDialects(MlirDialectRegistry registry) {
  DialectRegistry &target = *unwrap(registry);
  target.insert<comet::ta::TaDialect, comet::cin::CinDialect, comet::sam::SamDialect, comet::spatial::SpatialDialect, arith::ArithDialect, async::AsyncDialect,
                cf::ControlFlowDialect, complex::ComplexDialect, func::FuncDialect, LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
  func::registerInlinerExtension(target);
  LLVM::registerInlinerInterface(target);
  registerBuiltinDialectTranslation(target);
  registerLLVMDialectTranslation(target);
}

void cometRegisterUpstreamPasses(void) {
  registerCanonicalizerPass();
  registerCSEPass();
  registerLoopInvariantCodeMotionPass();
  registerSCFToControlFlowPass();
  registerConvertVectorToSCFPass();
  registerConvertVectorToLLVMPass();
  registerArithToLLVMConversionPass();
  registerConvertComplexToLLVMPass();
  registerConvertMathToLLVMPass();
  registerConvertControlFlowToLLVMPass();
  registerFinalizeMemRefToLLVMConversionPass();
  registerConvertFuncToLLVMPass();
  registerReconcileUnrealizedCastsPass();
  memref::registerExpandStridedMetadataPass();
  arith::registerArithExpandOpsPass();
  registerAsyncParallelForPass();
  registerAsyncToAsyncRuntimePass();
  registerAsyncRuntimeRefCountingPass();
  registerAsyncRuntimeRefCountingOptPass();
  registerConvertAsyncToLLVMPass();
}
