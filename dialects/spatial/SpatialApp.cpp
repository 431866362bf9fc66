//===- SpatialApp.cpp - what only shows in a whole application ---------------------===//

#include "SpatialDialect.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace comet::spatial;

/// How many iterations of an innermost pattern run at once at most: the lanes of a vector.
constexpr int64_t lanes = 16;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// What stands for something of the program.
static bool isOfProgram(Operation *op) { return llvm::isa<TensorOp, NumberOp>(op); }

/// All that is used is made inside.
static LogicalResult verifyClosed(AppOp app, Operation *op) {
  for (Value operand : op->getOperands())
    if (!isOfProgram(op) && !app.getBody().isAncestor(operand.getParentRegion()))
      return op->emitOpError("expected a value that is made in the application");
  return success();
}

static bool isOfHost(Type type) { return llvm::isa<ArrayType, TextType>(type); }

/// Whether a scalar follows from parameters and numbers of the text alone.
static bool isKnown(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (llvm::isa<ParameterOp>(op))
    return true;
  bool computes = op->hasTrait<PartOfStatement>() && !op->hasTrait<Momentary>() && !op->hasTrait<OfHost>();
  return (computes || llvm::isa<ValOp>(op)) && llvm::all_of(op->getOperands(), isKnown);
}

/// Memories and arguments of the host are the accelerator's too, its values are not.
static LogicalResult verifyInAccelerator(AccelOp accel, Operation *op) {
  if (op->hasTrait<OfHost>())
    return op->emitOpError("expected to be outside of the accelerator");
  for (Value operand : op->getOperands()) {
    Type type = operand.getType();
    if (isOfHost(type))
      return op->emitOpError("expected what the accelerator has, found ") << type;
    bool isOutside = !accel.getBody().isAncestor(operand.getParentRegion());
    if (isOutside && isElement(type) && !isKnown(operand))
      return op->emitOpError("expected a value that is known before the host runs; `spatial.arg_in` gives others to the accelerator");
  }
  return success();
}

static LogicalResult verifyOnHost(Operation *op) {
  if (op->hasTrait<OfAccelerator>())
    return op->emitOpError("expected to be inside of the accelerator");
  auto read = llvm::dyn_cast<ReadOp>(op);
  if (read && !isOfHost(read.getMemory().getType()))
    return op->emitOpError("expected an array of the host, found ") << read.getMemory().getType();
  return success();
}

static LogicalResult verifyPlace(AppOp app, Operation *op) {
  if (!llvm::isa_and_nonnull<SpatialDialect>(op->getDialect()))
    return op->emitOpError("expected an operation of the application");
  if (failed(verifyClosed(app, op)))
    return failure();
  auto accel = op->getParentOfType<AccelOp>();
  return accel ? verifyInAccelerator(accel, op) : verifyOnHost(op);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static LogicalResult taken(Operation *op, StringRef name) {
  return op->emitOpError("expected a name of its own, found another `") << name << "`";
}

namespace {
/// The names of values that are seen at a place.
struct Names {
  SmallVector<StringRef> seen;

  LogicalResult add(Operation *op, StringRef name, bool isUsed) {
    if (name == "_" && isUsed)
      return op->emitOpError("expected a name for a value that is used, found `_`");
    if (name == "_")
      return success();
    if (llvm::is_contained(seen, name))
      return taken(op, name);
    seen.push_back(name);
    return success();
  }

  LogicalResult addBlock(Block &block);
  LogicalResult addOperation(Operation *op);
};
} // namespace

/// The names of a block end with it.
LogicalResult Names::addBlock(Block &block) {
  size_t outside = seen.size();
  for (Operation &op : block)
    if (failed(addOperation(&op)))
      return failure();
  seen.truncate(outside);
  return success();
}

LogicalResult Names::addOperation(Operation *op) {
  StringAttr name = op->getNumResults() == 1 ? op->getAttrOfType<StringAttr>("name") : StringAttr();
  if (name && failed(add(op, name.getValue(), !op->use_empty())))
    return failure();
  size_t outside = seen.size();
  if (auto binders = op->getAttrOfType<ArrayAttr>("binders"))
    for (auto [binder, argument] : llvm::zip(binders.getAsRange<StringAttr>(), op->getRegion(0).getArguments()))
      if (failed(add(op, binder.getValue(), !argument.use_empty())))
        return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(addBlock(block)))
        return failure();
  seen.truncate(outside);
  return success();
}

/// Tensors and numbers of the program have names of their own, which are none of values.
static LogicalResult verifySources(AppOp app) {
  Names names;
  for (Operation &op : app.getBody().front())
    if (isOfProgram(&op) && failed(names.add(&op, op.getAttrOfType<StringAttr>("name").getValue(), /*isUsed=*/true)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Types under other names
//===----------------------------------------------------------------------===//

/// What another name of a type stands for where an operation has one.
static Type aliased(Operation *op) {
  if (auto alias = llvm::dyn_cast<AliasOp>(op))
    return alias.getType();
  Type type = op->getResult(0).getType();
  Type element = getElement(type);
  return element ? element : type;
}

static LogicalResult verifyAlias(Operation *op, const llvm::StringMap<Type> &aliases) {
  auto alias = op->getAttrOfType<StringAttr>("alias");
  if (!alias)
    return success();
  auto found = aliases.find(alias.getValue());
  if (found == aliases.end())
    return op->emitOpError("expected a name of a type that is declared before, found `") << alias.getValue() << "`";
  if (found->second == aliased(op))
    return success();
  return op->emitOpError("expected `") << alias.getValue() << "` to be " << aliased(op) << ", found " << found->second;
}

static LogicalResult verifyAliases(AppOp app) {
  llvm::StringMap<Type> aliases;
  WalkResult walked = app->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (failed(verifyAlias(op, aliases)))
      return WalkResult::interrupt();
    auto alias = llvm::dyn_cast<AliasOp>(op);
    if (alias && !aliases.try_emplace(alias.getName(), alias.getType()).second)
      return WalkResult(taken(alias, alias.getName()));
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Moments
//===----------------------------------------------------------------------===//

/// The momentary parts of a value in the order in which the text evaluates them.
static void collectMoments(Value value, SmallVectorImpl<Operation *> &moments) {
  Operation *op = value.getDefiningOp();
  if (!op || !op->hasTrait<PartOfStatement>())
    return;
  for (Value operand : op->getOperands())
    collectMoments(operand, moments);
  if (op->hasTrait<Momentary>())
    moments.push_back(op);
}

/// The text has a part of a statement where that uses it. So what is asked for in front of a statement must be its parts, once each and in their order.
static LogicalResult verifyMoments(ArrayRef<Operation *> asked, ArrayRef<Operation *> used) {
  auto [first, second] = std::mismatch(asked.begin(), asked.end(), used.begin(), used.end());
  if (first == asked.end() && second == used.end())
    return success();
  Operation *op = first == asked.end() ? *second : *first;
  return op->emitOpError("expected to be used by the statement behind it, once and in the order of its operands; `spatial.val` keeps a value");
}

static LogicalResult verifyMoments(Block &block) {
  SmallVector<Operation *> asked;
  for (Operation &op : block) {
    if (op.hasTrait<Momentary>())
      asked.push_back(&op);
    if (op.hasTrait<PartOfStatement>())
      continue;
    SmallVector<Operation *> used;
    for (Value operand : op.getOperands())
      collectMoments(operand, used);
    if (failed(verifyMoments(asked, used)))
      return failure();
    asked.clear();
  }
  return verifyMoments(asked, {});
}

//===----------------------------------------------------------------------===//
// Parallel iterations
//===----------------------------------------------------------------------===//

static bool isPattern(Operation *op) { return llvm::isa<ForeachOp, ReduceOp, MemReduceOp>(op); }

static bool isInnermost(Operation *pattern) {
  return !pattern->walk([&](Operation *op) { return op != pattern && isPattern(op) ? WalkResult::interrupt() : WalkResult::advance(); }).wasInterrupted();
}

/// How many iterations run at once; null where it is not said.
static Value parOf(Operation *domain) {
  if (auto counter = llvm::dyn_cast<CounterOp>(domain))
    return counter.getPar();
  if (auto scan = llvm::dyn_cast<ScanOp>(domain))
    return scan.getPar();
  return llvm::cast<ScanTwoOp>(domain).getPar();
}

/// The number that a value is, where the application says it.
static std::optional<int64_t> numberOf(Value value) {
  if (!value)
    return std::nullopt;
  if (auto number = value.getDefiningOp<IntOp>())
    return number.getValue();
  if (auto parameter = value.getDefiningOp<ParameterOp>())
    return parameter.getValue();
  return std::nullopt;
}

static LogicalResult verifyPar(Operation *pattern) {
  for (Value operand : pattern->getOperands()) {
    if (!llvm::isa<RoundsType>(operand.getType()))
      continue;
    Operation *domain = operand.getDefiningOp();
    std::optional<int64_t> par = numberOf(parOf(domain));
    if (par && *par < 1)
      return domain->emitOpError("expected 1 round at once or more, found ") << *par;
    if (par && *par > lanes && isInnermost(pattern))
      return domain->emitOpError("expected at most ") << lanes << " rounds at once of an innermost pattern, found " << *par;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Applications
//===----------------------------------------------------------------------===//

static LogicalResult verifyOperation(AppOp app, Operation *op) {
  if (failed(verifyPlace(app, op)) || (isPattern(op) && failed(verifyPar(op))))
    return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(verifyMoments(block)))
        return failure();
  return success();
}

LogicalResult AppOp::verifyRegions() {
  if ((*this)->getParentOfType<AppOp>())
    return emitOpError("expected no application around it");
  size_t count = llvm::range_size(getBody().getOps<AccelOp>());
  if (count != 1)
    return emitOpError("expected one part for the accelerator, found ") << count;
  Operation *app = *this;
  WalkResult walked = app->walk<WalkOrder::PreOrder>([&](Operation *op) {
    return op == app ? WalkResult::advance() : WalkResult(verifyOperation(*this, op));
  });
  if (walked.wasInterrupted() || failed(verifyMoments(getBody().front())))
    return failure();
  return failure(failed(Names().addBlock(getBody().front())) || failed(verifySources(*this)) || failed(verifyAliases(*this)));
}
