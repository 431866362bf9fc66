//===- CinDialect.cpp - the cin dialect: types, verifiers --------------------===//

#include "CinDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace comet::cin;

#include "CinDialect.cpp.inc"
#include "CinEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "CinTypes.cpp.inc"

#define GET_OP_CLASSES
#include "CinOps.cpp.inc"

void CinDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "CinTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "CinOps.cpp.inc"
      >();
}

static LogicalResult verifyPositive(Operation *op, StringRef what, int64_t number) {
  if (number < 1)
    return op->emitOpError("expected a positive ") << what << ", found " << number;
  return success();
}

LogicalResult SplitOp::verify() { return verifyPositive(*this, "factor", getFactor()); }
LogicalResult DivideOp::verify() { return verifyPositive(*this, "number of parts", getParts()); }
LogicalResult BoundOp::verify() { return verifyPositive(*this, "bound", getSize()); }

LogicalResult FuseOp::verify() {
  if (getOuter() == getInner())
    return emitOpError("expected two different variables");
  return success();
}

/// A variable is bound by one loop at a time.
LogicalResult ForallOp::verify() {
  for (auto outer = (*this)->getParentOfType<ForallOp>(); outer; outer = outer->getParentOfType<ForallOp>())
    if (outer.getVar() == getVar())
      return emitOpError("its variable is bound by an enclosing loop already");
  if (getTasks() && *getTasks() < 1)
    return verifyPositive(*this, "number of tasks", *getTasks());
  if (getUnroll() && *getUnroll() < 1)
    return verifyPositive(*this, "unroll factor", *getUnroll());
  if (getVectorize() && *getVectorize() < 1)
    return verifyPositive(*this, "vector width", *getVectorize());
  return success();
}

static LogicalResult verifyPoint(Operation *op, Type tensor, size_t indices, Type value) {
  auto type = llvm::cast<RankedTensorType>(tensor);
  if (size_t(type.getRank()) != indices)
    return op->emitOpError("expected one index variable for each of the ") << type.getRank() << " modes, found " << indices;
  if (type.getElementType() != value)
    return op->emitOpError("expected a value of type ") << type.getElementType() << ", found " << value;
  return success();
}

LogicalResult AssignOp::verify() { return verifyPoint(*this, getTensor().getType(), getIndices().size(), getValue().getType()); }
LogicalResult AccessOp::verify() { return verifyPoint(*this, getTensor().getType(), getIndices().size(), getValue().getType()); }

LogicalResult TemporaryOp::verify() {
  auto type = llvm::cast<RankedTensorType>(getTensor().getType());
  if (getKind() == WorkspaceKind::Scalar && type.getRank() != 0)
    return emitOpError("expected a scalar workspace of rank 0, found ") << type;
  if (getKind() == WorkspaceKind::Registers && (type.getRank() != 1 || !type.hasStaticShape()))
    return emitOpError("expected a register workspace of rank 1 and static size, found ") << type;
  if (getCapacity() && getKind() != WorkspaceKind::Hash && getKind() != WorkspaceKind::List)
    return emitOpError("expected a capacity only for a hash or list workspace");
  return success();
}
