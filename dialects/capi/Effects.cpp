//===- Effects.cpp - what operations do to memory, for the C interface --------===//

#include "Comet.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

CometEffects cometOperationEffects(MlirOperation operation) {
  auto effects = getEffectsRecursively(unwrap(operation));
  if (!effects)
    return CometEffectsOther;
  if (effects->empty())
    return CometEffectsNone;
  bool reads = llvm::all_of(*effects, [](auto &effect) { return isa<MemoryEffects::Read>(effect.getEffect()); });
  return reads ? CometEffectsReads : CometEffectsOther;
}
