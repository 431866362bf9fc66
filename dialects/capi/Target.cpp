//===- Target.cpp - what LLVM knows of processors beyond its C API -----===//

#include "Comet.h"

#include "mlir/CAPI/Support.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace {

/// What LLVM knows of a processor; null where the target is not initialized.
std::unique_ptr<MCSubtargetInfo> subtarget(const Triple &triple, StringRef cpu) {
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  return target ? std::unique_ptr<MCSubtargetInfo>(target->createMCSubtargetInfo(triple, cpu, "")) : nullptr;
}

/// LLVM lists i386 for x86-64 as well, and ends the process where code is generated for it.
bool runsTriple(const Triple &triple, StringRef cpu) {
  return triple.getArch() != Triple::x86_64 || subtarget(triple, cpu)->checkFeatures("+64bit");
}

} // namespace

void cometForEachProcessor(MlirStringRef tripleText, MlirStringCallback callback, void *userData) {
  Triple triple(unwrap(tripleText));
  std::unique_ptr<MCSubtargetInfo> info = subtarget(triple, "");
  if (!info)
    return;
  for (const SubtargetSubTypeKV &processor : info->getAllProcessorDescriptions())
    if (runsTriple(triple, processor.Key))
      callback(wrap(StringRef(processor.Key)), userData);
}

void cometForEachFeature(MlirStringRef tripleText, MlirStringRef cpu, MlirStringCallback callback, void *userData) {
  std::unique_ptr<MCSubtargetInfo> info = subtarget(Triple(unwrap(tripleText)), unwrap(cpu));
  if (!info)
    return;
  for (const SubtargetFeatureKV &feature : info->getAllProcessorFeatures())
    if (info->getFeatureBits().test(feature.Value))
      callback(wrap(StringRef(feature.Key)), userData);
}
