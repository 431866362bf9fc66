//===- SamDialect.cpp - the sam dialect: graphs as lines of text --------------===//

#include "SamDialect.h"

using namespace mlir;
using namespace comet::sam;

#include "SamDialect.cpp.inc"

#define GET_OP_CLASSES
#include "SamOps.cpp.inc"

void SamDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "SamOps.cpp.inc"
      >();
}

LogicalResult GraphOp::verify() {
  using comet::ta::LevelKind;
  return comet::verifyNamedValues(*this, getNames(), "D, CU or BV", [](const comet::ta::Level &level) {
    bool isSupported = level.kind == LevelKind::Dense || level.kind == LevelKind::CompressedUnique || level.kind == LevelKind::BitVector;
    return isSupported && level.expr != comet::ta::LevelExpr::Slot;
  });
}
