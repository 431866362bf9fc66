//===- SpatialDialect.cpp - the spatial dialect: applications as lines of text ----===//

#include "SpatialDialect.h"

using namespace mlir;
using namespace comet::spatial;

#include "SpatialDialect.cpp.inc"

#define GET_OP_CLASSES
#include "SpatialOps.cpp.inc"

void SpatialDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "SpatialOps.cpp.inc"
      >();
}

LogicalResult AppOp::verify() {
  using comet::ta::LevelKind;
  return comet::verifyNamedValues(*this, getNames(), "D or CU", [](const comet::ta::Level &level) {
    return level.expr != comet::ta::LevelExpr::Slot && (level.kind == LevelKind::Dense || level.kind == LevelKind::CompressedUnique);
  });
}
