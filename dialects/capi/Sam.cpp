//===- Sam.cpp - the types of the sam dialect for the C interface -------------===//

#include "Comet.h"

#include "SamDialect.h"

#include "mlir/CAPI/IR.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace comet;

static sam::FibertreeType unwrapTensor(MlirType tensor) { return llvm::cast<sam::FibertreeType>(unwrap(tensor)); }

MlirType cometSamTensorTypeGet(MlirContext context, intptr_t count, const CometSamLevel *levels, MlirType element) {
  SmallVector<sam::Level> list;
  for (const CometSamLevel &level : ArrayRef(levels, count))
    list.push_back({sam::LevelKind(level.kind), level.wordBits, level.mode});
  return wrap(sam::FibertreeType::get(unwrap(context), list, unwrap(element)));
}

bool cometTypeIsSamTensor(MlirType type) { return llvm::isa<sam::FibertreeType>(unwrap(type)); }

intptr_t cometSamTensorTypeGetNumLevels(MlirType tensor) { return unwrapTensor(tensor).getLevels().size(); }

CometSamLevel cometSamTensorTypeGetLevel(MlirType tensor, intptr_t number) {
  const sam::Level &level = unwrapTensor(tensor).getLevels()[number];
  return {int32_t(level.kind), level.wordBits, level.mode};
}

MlirType cometSamTensorTypeGetElement(MlirType tensor) { return wrap(unwrapTensor(tensor).getElementType()); }

static Type streamType(MLIRContext *context, const CometSamStream &stream) {
  switch (CometSamStreamKind(stream.kind)) {
  case CometSamCrd:
    return sam::CrdType::get(context, stream.depth);
  case CometSamRef:
    return sam::RefType::get(context, stream.depth);
  case CometSamVal:
    return sam::ValType::get(context, unwrap(stream.element), stream.depth);
  case CometSamRepsig:
    return sam::RepsigType::get(context, stream.depth);
  case CometSamBv:
    return sam::BvType::get(context, stream.width, stream.depth);
  case CometSamNoStream:
    break;
  }
  llvm_unreachable("expected a kind of streams");
}

MlirType cometSamStreamTypeGet(MlirContext context, CometSamStream stream) { return wrap(streamType(unwrap(context), stream)); }

CometSamStream cometSamStreamOfType(MlirType type) {
  auto plain = [](CometSamStreamKind kind, unsigned depth) { return CometSamStream{kind, depth, 0, {nullptr}}; };
  return llvm::TypeSwitch<Type, CometSamStream>(unwrap(type))
      .Case([&](sam::CrdType crd) { return plain(CometSamCrd, crd.getDepth()); })
      .Case([&](sam::RefType ref) { return plain(CometSamRef, ref.getDepth()); })
      .Case([&](sam::ValType val) { return CometSamStream{CometSamVal, val.getDepth(), 0, wrap(val.getElementType())}; })
      .Case([&](sam::RepsigType repsig) { return plain(CometSamRepsig, repsig.getDepth()); })
      .Case([&](sam::BvType bv) { return CometSamStream{CometSamBv, bv.getDepth(), bv.getWidth(), {nullptr}}; })
      .Default([&](Type) { return plain(CometSamNoStream, 0); });
}
