//===- Target.cpp - what LLVM knows of processors and its C API does not tell -----===//

#include "Comet.h"

#include "mlir/CAPI/Support.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

void cometForEachProcessor(MlirStringRef tripleText, MlirStringCallback callback, void *userData) {
  llvm::Triple triple(unwrap(tripleText));
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return;
  std::unique_ptr<llvm::MCSubtargetInfo> info(target->createMCSubtargetInfo(triple, "", ""));
  if (!info)
    return;
  for (const llvm::SubtargetSubTypeKV &processor : info->getAllProcessorDescriptions())
    callback(wrap(llvm::StringRef(processor.Key)), userData);
}
