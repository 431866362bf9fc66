//===- Spatial.cpp - the types of the spatial dialect for the C interface ----------===//

#include "Comet.h"

#include "SpatialDialect.h"

#include "mlir/CAPI/IR.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace comet;

static Type typeOf(MLIRContext *context, CometSpatialKind kind, Type element) {
  switch (kind) {
  case CometSpatialDram:
    return spatial::DramType::get(context, element);
  case CometSpatialSparseDram:
    return spatial::SparseDramType::get(context, element);
  case CometSpatialSram:
    return spatial::SramType::get(context, element);
  case CometSpatialSparseSram:
    return spatial::SparseSramType::get(context, element);
  case CometSpatialFifo:
    return spatial::FifoType::get(context, element);
  case CometSpatialBits:
    return spatial::BitsType::get(context);
  case CometSpatialReg:
    return spatial::RegType::get(context, element);
  case CometSpatialArray:
    return spatial::ArrayType::get(context, element);
  case CometSpatialArgIn:
    return spatial::ArgInType::get(context, element);
  case CometSpatialArgOut:
    return spatial::ArgOutType::get(context, element);
  case CometSpatialText:
    return spatial::TextType::get(context);
  case CometSpatialRounds:
    return spatial::RoundsType::get(context);
  case CometSpatialBarrier:
    return spatial::BarrierType::get(context);
  case CometSpatialNone:
    break;
  }
  llvm_unreachable("expected a kind of types");
}

MlirType cometSpatialTypeGet(MlirContext context, CometSpatialType type) {
  return wrap(typeOf(unwrap(context), CometSpatialKind(type.kind), unwrap(type.element)));
}

static CometSpatialKind kindOf(Type type) {
  return llvm::TypeSwitch<Type, CometSpatialKind>(type)
      .Case([](spatial::DramType) { return CometSpatialDram; })
      .Case([](spatial::SparseDramType) { return CometSpatialSparseDram; })
      .Case([](spatial::SramType) { return CometSpatialSram; })
      .Case([](spatial::SparseSramType) { return CometSpatialSparseSram; })
      .Case([](spatial::FifoType) { return CometSpatialFifo; })
      .Case([](spatial::BitsType) { return CometSpatialBits; })
      .Case([](spatial::RegType) { return CometSpatialReg; })
      .Case([](spatial::ArrayType) { return CometSpatialArray; })
      .Case([](spatial::ArgInType) { return CometSpatialArgIn; })
      .Case([](spatial::ArgOutType) { return CometSpatialArgOut; })
      .Case([](spatial::TextType) { return CometSpatialText; })
      .Case([](spatial::RoundsType) { return CometSpatialRounds; })
      .Case([](spatial::BarrierType) { return CometSpatialBarrier; })
      .Default([](Type) { return CometSpatialNone; });
}

CometSpatialType cometSpatialTypeOf(MlirType type) { return {kindOf(unwrap(type)), wrap(spatial::getElement(unwrap(type)))}; }
