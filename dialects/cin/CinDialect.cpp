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

LogicalResult MapOp::verify() { return verifyPositive(*this, "factor", getFactor()); }

/// A name, a number, or a list of such.
static bool isArgument(Attribute argument) {
  if (auto list = llvm::dyn_cast<ArrayAttr>(argument))
    return llvm::all_of(list, isArgument);
  return llvm::isa<StringAttr, IntegerAttr>(argument);
}

LogicalResult CommandOp::verify() {
  for (Attribute argument : getArguments())
    if (!isArgument(argument))
      return emitOpError("expected names, numbers and lists of them as its arguments, found ") << argument;
  return success();
}

LogicalResult PosOp::verify() {
  comet::ta::FormatAttr format = comet::ta::getFormat(getTensor().getType());
  int64_t count = format ? format.getLevels().size() : llvm::cast<RankedTensorType>(getTensor().getType()).getRank();
  if (int64_t(getLevel()) < 0 || int64_t(getLevel()) >= count)
    return emitOpError("expected a level below ") << count << ", found " << getLevel();
  int64_t rank = llvm::cast<RankedTensorType>(getTensor().getType()).getRank();
  if (int64_t(getIndices().size()) != rank)
    return emitOpError("expected one index variable for each of the ") << rank << " modes, found " << getIndices().size();
  return success();
}

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
  if (failed(verifyPositive(*this, "number of tasks", getTasks().value_or(1))))
    return failure();
  if (failed(verifyPositive(*this, "unroll factor", getUnroll().value_or(1))))
    return failure();
  return verifyPositive(*this, "vector width", getVectorize().value_or(1));
}

static LogicalResult verifyPoint(Operation *op, Type tensor, size_t indices, Type value) {
  auto type = llvm::cast<RankedTensorType>(tensor);
  if (size_t(type.getRank()) != indices)
    return op->emitOpError("expected one index variable for each of the ") << type.getRank() << " modes, found " << indices;
  if (type.getElementType() != value)
    return op->emitOpError("expected a value of type ") << type.getElementType() << ", found " << value;
  return success();
}

LogicalResult AssignOp::verify() {
  if (!symbolizeReduction(getReduction()) && !comet::ta::isOwnOperator(getReduction()))
    return emitOpError("expected a reduction, found \"") << getReduction() << "\"";
  bool hasHeader = getHeaderFrom() || getHeaderTo();
  bool isComplete = getHeaderFrom() && getHeaderTo();
  if (getClaim() == Claim::Discordant ? !isComplete : hasHeader)
    return emitOpError("expected a header in an assignment that claims to be discordant, and in no other");
  return verifyPoint(*this, getTensor().getType(), getIndices().size(), getValue().getType());
}

LogicalResult AccessOp::verify() { return verifyPoint(*this, getTensor().getType(), getIndices().size(), getValue().getType()); }

static bool isDense(RankedTensorType type) {
  comet::ta::FormatAttr format = comet::ta::getFormat(type);
  return !format || llvm::all_of(format.getLevels(), [](const comet::ta::Level &level) { return level.format().isFull; });
}

LogicalResult TemporaryOp::verify() {
  auto type = llvm::cast<RankedTensorType>(getTensor().getType());
  WorkspaceKind kind = getKind();
  bool isAccumulator = kind == WorkspaceKind::Hash || kind == WorkspaceKind::List;
  bool hasFormat = isAccumulator || kind == WorkspaceKind::Levels;
  if (kind == WorkspaceKind::Scalar && type.getRank() != 0)
    return emitOpError("expected a scalar workspace of rank 0, found ") << type;
  if (kind == WorkspaceKind::Registers && (type.getRank() != 1 || !type.hasStaticShape()))
    return emitOpError("expected a register workspace of rank 1 and static size, found ") << type;
  if (!hasFormat && !isDense(type))
    return emitOpError("expected dense levels in a ") << stringifyWorkspaceKind(kind) << " workspace, found " << type;
  if (hasFormat && type.getRank() == 0)
    return emitOpError("expected a ") << stringifyWorkspaceKind(kind) << " workspace of rank 1 or more, found " << type;
  if (getCapacity() && !isAccumulator)
    return emitOpError("expected a capacity only for a hash or list workspace, found one for a ") << stringifyWorkspaceKind(kind) << " workspace";
  if (getCapacity())
    return verifyPositive(*this, "capacity", *getCapacity());
  return success();
}

//===----------------------------------------------------------------------===//
// What only shows in a whole statement
//===----------------------------------------------------------------------===//

/// Whether the loops around `op` fix the value of an index variable: one binds it, or they fix what it
/// follows from.
static bool isFixed(Value var, Operation *op) {
  for (auto loop = op->getParentOfType<ForallOp>(); loop; loop = loop->getParentOfType<ForallOp>())
    if (loop.getVar() == var)
      return true;
  auto follows = [&](Operation *relation) {
    auto position = llvm::dyn_cast<PosOp>(relation);
    bool derives = position ? position.getVar() == var : llvm::isa<SplitOp, DivideOp, FuseOp, BoundOp>(relation);
    return derives && llvm::all_of(relation->getResults(), [&](Value derived) { return isFixed(derived, op); });
  };
  return llvm::any_of(var.getUsers(), follows);
}

static LogicalResult verifyFixed(Operation *op, ValueRange indices) {
  for (auto [number, index] : llvm::enumerate(indices))
    if (!isFixed(index, op))
      return op->emitOpError("expected loops around it that bind its index variable ") << number;
  return success();
}

/// Whether `first` has run when `second` runs, both inside one compute: it is in an earlier statement of a
/// block, or in the producer of a where-statement whose consumer `second` is in.
static bool runsBefore(Operation *first, Operation *second) {
  Operation *common = second;
  while (!common->getBlock()->findAncestorOpInBlock(*first))
    common = common->getParentOp();
  Operation *ancestor = common->getBlock()->findAncestorOpInBlock(*first);
  if (ancestor != common)
    return ancestor->isBeforeInBlock(common);
  auto where = llvm::dyn_cast<WhereOp>(common);
  return where && where.getProducer().isAncestor(first->getParentRegion());
}

static LogicalResult verifyProduced(AccessOp access) {
  auto temporary = access.getTensor().getDefiningOp<TemporaryOp>();
  if (!temporary)
    return success();
  auto produces = [&](Operation *user) { return llvm::isa<AssignOp>(user) && runsBefore(user, access); };
  if (llvm::any_of(temporary->getUsers(), produces))
    return success();
  return access.emitOpError("expected an assignment to the workspace before it is read");
}

/// What is replaced in place has been read: coordinates come from there.
static LogicalResult verifyInPlace(AssignOp assign, ComputeOp compute) {
  if (!assign.getInPlace())
    return success();
  if (assign.getTensor().getDefiningOp<TemporaryOp>() || isDense(llvm::cast<RankedTensorType>(assign.getTensor().getType())))
    return assign.emitOpError("expected a sparse tensor of the program to assign to in place");
  auto readsTarget = [&](AccessOp access) {
    bool isSame = access.getTensor() == assign.getTensor() && llvm::equal(access.getIndices(), assign.getIndices());
    return isSame ? WalkResult::interrupt() : WalkResult::advance();
  };
  if (compute.getBody().walk(readsTarget).wasInterrupted())
    return success();
  return assign.emitOpError("expected an access to the element that is assigned to in place");
}

static LogicalResult verifyDeclared(ForallOp loop, ComputeOp compute) {
  Operation *declaration = loop.getVar().getDefiningOp();
  if (declaration && compute->isProperAncestor(declaration))
    return success();
  return loop.emitOpError("expected an index variable of the same `cin.compute`");
}

LogicalResult ComputeOp::verifyRegions() {
  auto verifyOne = [&](Operation *op) -> LogicalResult {
    if (auto loop = llvm::dyn_cast<ForallOp>(op))
      return verifyDeclared(loop, *this);
    if (auto assign = llvm::dyn_cast<AssignOp>(op))
      return failure(failed(verifyFixed(assign, assign.getIndices())) || failed(verifyInPlace(assign, *this)) ||
                     failed(assign.verifyClaim()));
    if (auto access = llvm::dyn_cast<AccessOp>(op))
      return failure(failed(verifyFixed(access, access.getIndices())) || failed(verifyProduced(access)));
    return success();
  };
  auto visit = [&](Operation *op) { return failed(verifyOne(op)) ? WalkResult::interrupt() : WalkResult::advance(); };
  return failure(getBody().walk(visit).wasInterrupted());
}

LogicalResult WhereOp::verifyRegions() {
  SmallVector<Value> produced;
  getProducer().walk([&](AssignOp assign) { produced.push_back(assign.getTensor()); });
  bool isRead = getConsumer().walk([&](AccessOp access) {
    return llvm::is_contained(produced, access.getTensor()) ? WalkResult::interrupt() : WalkResult::advance();
  }).wasInterrupted();
  if (!isRead)
    return emitOpError("expected a consumer that reads what the producer assigns");
  return success();
}

LogicalResult MaskOp::verify() {
  if (!getMask().getDefiningOp<AccessOp>())
    return emitOpError("expected an access as the mask");
  return success();
}
