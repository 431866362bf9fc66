//===- SamGraph.cpp - the tensors of graphs, and what only shows in a whole one ----===//

#include "SamDialect.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace comet::sam;

static FibertreeType tensorType(Value tensor) { return llvm::cast<FibertreeType>(tensor.getType()); }

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// The mode of a graph's tensor that a level of the program's stores. Of a mode that is cut, the quotient and the remainder are modes of their own,
/// one behind the other.
static int64_t graphMode(ArrayRef<comet::ta::Level> levels, const comet::ta::Level &level) {
  auto place = [](const comet::ta::Level &stored) { return std::pair(stored.mode, stored.expr == comet::ta::LevelExpr::Mod); };
  return llvm::count_if(levels, [&](const comet::ta::Level &other) { return place(other) < place(level); });
}

/// The level of a graph's tensor for one of the program's; none for what graphs do not have.
static std::optional<Level> levelOf(const comet::ta::Level &level, int64_t mode) {
  using comet::ta::LevelKind;
  if (level.expr == comet::ta::LevelExpr::Slot)
    return std::nullopt;
  switch (level.kind) {
  case LevelKind::Dense:
    return Level{comet::sam::LevelKind::Dense, 0, mode};
  case LevelKind::CompressedUnique:
    return Level{comet::sam::LevelKind::Compressed, 0, mode};
  case LevelKind::BitVector:
    return Level{comet::sam::LevelKind::BitVector, level.wordBits, mode};
  default:
    return std::nullopt;
  }
}

/// What a graph takes a tensor of the program as; null where it has levels that graphs do not have.
static FibertreeType graphTensor(RankedTensorType tensor) {
  SmallVector<Level> levels;
  comet::ta::FormatAttr format = comet::ta::getFormat(tensor);
  for (int64_t mode = 0; !format && mode < tensor.getRank(); ++mode)
    levels.push_back({LevelKind::Dense, 0, mode});
  if (format)
    for (const comet::ta::Level &stored : format.getLevels()) {
      std::optional<Level> level = levelOf(stored, graphMode(format.getLevels(), stored));
      if (!level)
        return {};
      levels.push_back(*level);
    }
  return FibertreeType::get(tensor.getContext(), levels, tensor.getElementType());
}

static LogicalResult verifyTensor(Operation *op, Type expected, Type found) {
  if (expected == found)
    return success();
  return op->emitOpError("expected a result of type ") << expected << ", found " << found;
}

/// A tensor of the program comes in the levels that it has.
static LogicalResult verifyStored(Operation *op, RankedTensorType program, Type found) {
  if (FibertreeType tensor = graphTensor(program))
    return verifyTensor(op, tensor, found);
  return op->emitOpError("expected a tensor whose levels are D, CU or BV and store coordinates, found ") << program;
}

LogicalResult OperandOp::verify() { return verifyStored(*this, llvm::cast<RankedTensorType>(getTensor().getType()), getResult().getType()); }
LogicalResult ResultOp::verify() { return verifyStored(*this, llvm::cast<RankedTensorType>(getTensor().getType()), getResult().getType()); }

LogicalResult ScalarOp::verify() { return verifyTensor(*this, FibertreeType::get(getContext(), {}, getValue().getType()), getResult().getType()); }

LogicalResult UniverseOp::verify() {
  FibertreeType found = tensorType(getResult());
  return verifyTensor(*this, FibertreeType::get(getContext(), Level{LevelKind::Dense, 0, 0}, found.getElementType()), found);
}

//===----------------------------------------------------------------------===//
// Whole graphs
//===----------------------------------------------------------------------===//

static StringAttr declaredName(Operation *op) {
  return llvm::isa<OperandOp, ScalarOp, UniverseOp, ResultOp>(op) ? op->getAttrOfType<StringAttr>("name") : StringAttr();
}

/// One name is one tensor, which may be read at several places.
static LogicalResult verifyNames(GraphOp graph) {
  llvm::StringMap<Operation *> declared;
  for (Operation &op : graph.getBody().front()) {
    StringAttr name = declaredName(&op);
    if (!name)
      continue;
    auto [first, isNew] = declared.try_emplace(name.getValue(), &op);
    Operation *other = first->second;
    bool isSame = other->getName() == op.getName() && other->getOperand(0) == op.getOperand(0);
    if (isNew || (isSame && !llvm::isa<ResultOp>(op)))
      continue;
    return op.emitOpError("expected a name of its own, found another tensor of the name \"") << name.getValue() << "\"";
  }
  return success();
}

static FailureOr<ResultOp> theResult(GraphOp graph) {
  auto results = llvm::to_vector(graph.getBody().front().getOps<ResultOp>());
  if (results.size() != 1)
    return graph.emitOpError("expected one result, found ") << results.size();
  return results.front();
}

namespace {
/// What writes the result.
struct Writers {
  SmallVector<SmallVector<WriteLevelOp>> levels;
  SmallVector<WriteValuesOp> values;
};
} // namespace

static FailureOr<Writers> writersOf(ResultOp result) {
  Writers writers;
  writers.levels.resize(tensorType(result.getResult()).getLevels().size());
  for (Operation *user : result.getResult().getUsers()) {
    if (auto level = llvm::dyn_cast<WriteLevelOp>(user))
      writers.levels[level.getLevel()].push_back(level);
    else if (auto values = llvm::dyn_cast<WriteValuesOp>(user))
      writers.values.push_back(values);
    else if (!llvm::isa<LocateOp>(user))
      return user->emitOpError("expected a tensor to read, found the result of its graph");
  }
  return writers;
}

/// All levels of the result are written once, or none if its values are scattered.
static LogicalResult verifyWritten(GraphOp graph, ResultOp result) {
  FailureOr<Writers> writers = writersOf(result);
  if (failed(writers))
    return failure();
  if (writers->values.size() != 1)
    return graph.emitOpError("expected one writer of the values of its result, found ") << writers->values.size();
  size_t expected = writers->values.front().getPlaces() ? 0 : 1;
  for (auto [number, level] : llvm::enumerate(writers->levels))
    if (level.size() != expected)
      return graph.emitOpError("expected ") << (expected ? "one writer" : "no writer") << " of level " << number << " of its result, found " << level.size();
  return success();
}

/// Levels are nested, and the values in the innermost one. The writers of each have been counted.
static LogicalResult verifyNested(ResultOp result) {
  Writers writers = *writersOf(result);
  WriteValuesOp values = writers.values.front();
  unsigned depth = 0;
  for (auto &level : writers.levels) {
    if (level.empty())
      return success();
    depth += level.front().getSingle() ? 0 : 1;
    Type found = level.front().getCoordinates().getType();
    if (getDepth(found) != depth)
      return level.front().emitOpError("expected coordinates of depth ") << depth << ", found " << found;
  }
  if (getDepth(values.getValues().getType()) == depth)
    return success();
  return values.emitOpError("expected values of depth ") << depth << ", found " << values.getValues().getType();
}

/// Streams lead from one block to later ones: there is an order of the blocks in which all of them do.
static LogicalResult verifyAcyclic(GraphOp graph) {
  llvm::DenseMap<Operation *, unsigned> waiting;
  SmallVector<Operation *> ready;
  auto isInside = [&](Value value) { return value.getDefiningOp() && value.getDefiningOp()->getBlock() == &graph.getBody().front(); };
  for (Operation &op : graph.getBody().front()) {
    unsigned count = llvm::count_if(op.getOperands(), isInside);
    waiting[&op] = count;
    if (count == 0)
      ready.push_back(&op);
  }
  for (size_t next = 0; next < ready.size(); ++next)
    for (Operation *user : ready[next]->getUsers())
      if (--waiting[user] == 0)
        ready.push_back(user);
  for (Operation &op : graph.getBody().front())
    if (waiting[&op] != 0)
      return op.emitOpError("expected streams that do not go round in a circle");
  return success();
}

namespace {
/// What references lead to: the fibers of a level of a tensor; past the last level, its values.
struct Place {
  Value tensor;
  size_t level = 0;
};
} // namespace

static std::optional<Place> placeOf(Value reference);

/// Where the references come from that words, copies and tiles pass on.
static std::optional<Place> placeOfPassed(Operation *op) {
  if (auto words = llvm::dyn_cast<ToWordsOp>(op))
    return placeOf(words.getReferences());
  if (auto parallelize = llvm::dyn_cast<ParallelizeOp>(op))
    return placeOf(parallelize.getElements());
  if (auto serialize = llvm::dyn_cast<SerializeOp>(op))
    return placeOf(serialize.getCarried().front());
  if (auto fetch = llvm::dyn_cast<FetchOp>(op))
    return placeOf(fetch.getReferences());
  return std::nullopt;
}

/// Where references come from; none where that is outside of the graph. Streams close no cycle.
static std::optional<Place> placeOf(Value reference) {
  Operation *op = reference.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto scan = llvm::dyn_cast<ScanOp>(op))
    return Place{scan.getTensor(), scan.getLevel() + 1};
  if (auto locate = llvm::dyn_cast<LocateOp>(op))
    return Place{locate.getTensor(), locate.getLevel() + 1};
  if (auto repeat = llvm::dyn_cast<RepeatOp>(op))
    return llvm::isa<FibertreeType>(repeat.getRepeated().getType()) ? Place{repeat.getRepeated(), 0} : placeOf(repeat.getRepeated());
  if (llvm::isa<IntersectOp, UnionOp>(op)) {
    unsigned number = llvm::cast<OpResult>(reference).getResultNumber();
    return placeOf(op->getOperand(op->getNumOperands() / 2 + number - 1));
  }
  return placeOfPassed(op);
}

static std::string describe(Place place) {
  Operation *declaration = place.tensor.getDefiningOp();
  StringAttr name = declaration ? declaredName(declaration) : StringAttr();
  std::string tensor = name ? "\"" + name.str() + "\"" : "a tensor";
  bool isValues = place.level == tensorType(place.tensor).getLevels().size();
  return (isValues ? "the values" : "level " + std::to_string(place.level)) + " of " + tensor;
}

static LogicalResult verifyPlace(Operation *op, Value reference, Place expected) {
  std::optional<Place> found = placeOf(reference);
  if (!found || (found->tensor == expected.tensor && found->level == expected.level))
    return success();
  return op->emitOpError("expected references to ") << describe(expected) << ", found references to " << describe(*found);
}

static Place valuesOf(Value tensor) { return {tensor, tensorType(tensor).getLevels().size()}; }

/// The references that a block reads lead to what it looks for there.
static LogicalResult verifyReferences(Operation *op) {
  if (auto scan = llvm::dyn_cast<ScanOp>(op); scan && scan.getReference())
    return verifyPlace(scan, scan.getReference(), {scan.getTensor(), scan.getLevel()});
  if (auto locate = llvm::dyn_cast<LocateOp>(op); locate && locate.getReference())
    return verifyPlace(locate, locate.getReference(), {locate.getTensor(), locate.getLevel()});
  if (auto fetch = llvm::dyn_cast<FetchOp>(op))
    return verifyPlace(fetch, fetch.getReferences(), {fetch.getTensor(), fetch.getLevel()});
  if (auto array = llvm::dyn_cast<ArrayOp>(op); array && array.getReferences())
    return verifyPlace(array, array.getReferences(), valuesOf(array.getTensor()));
  if (auto write = llvm::dyn_cast<WriteValuesOp>(op); write && write.getPlaces())
    return verifyPlace(write, write.getPlaces(), valuesOf(write.getTensor()));
  return success();
}

/// Writers write to the result.
static LogicalResult verifyWriters(GraphOp graph, ResultOp result) {
  for (Operation &op : graph.getBody().front()) {
    auto level = llvm::dyn_cast<WriteLevelOp>(op);
    auto values = llvm::dyn_cast<WriteValuesOp>(op);
    if ((level && level.getTensor() != result.getResult()) || (values && values.getTensor() != result.getResult()))
      return op.emitOpError("expected to write the result of its graph");
  }
  return success();
}

/// Returns the scanner that an operand has both its coordinates and its references from, if it skips.
static ScanOp skippingScan(Value coordinates, Value references) {
  auto scan = coordinates.getDefiningOp<ScanOp>();
  return scan && scan.getSkip() && scan.getReferences() == references ? scan : ScanOp();
}

/// An operand that skips comes straight from a scanner that does, and that nobody else reads.
static LogicalResult verifySkippingOperands(IntersectOp op) {
  for (int64_t operand : op.getSkips().value_or(ArrayRef<int64_t>())) {
    Value coordinates = op.getCoordinates()[operand], references = op.getCarried()[operand];
    if (!skippingScan(coordinates, references))
      return op.emitOpError("expected what operand ") << operand << " skips straight from a scanner that skips";
    if (!coordinates.hasOneUse() || !references.hasOneUse())
      return op.emitOpError("expected nobody else to read what operand ") << operand << " skips";
  }
  return success();
}

static bool skips(IntersectOp op, Value coordinates) {
  ArrayRef<int64_t> skips = op.getSkips().value_or(ArrayRef<int64_t>());
  return llvm::any_of(skips, [&](int64_t operand) { return op.getCoordinates()[operand] == coordinates; });
}

/// A scanner that skips has an intersecter that sends it what is needed.
static LogicalResult verifySkippingScan(ScanOp scan) {
  auto tells = [&](Operation *user) {
    auto intersect = llvm::dyn_cast<IntersectOp>(user);
    return intersect && skips(intersect, scan.getCoordinates());
  };
  if (!scan.getSkip() || llvm::any_of(scan.getCoordinates().getUsers(), tells))
    return success();
  return scan.emitOpError("expected an intersecter that skips what is scanned");
}

static LogicalResult verifySkips(GraphOp graph) {
  for (Operation &op : graph.getBody().front()) {
    auto intersect = llvm::dyn_cast<IntersectOp>(op);
    auto scan = llvm::dyn_cast<ScanOp>(op);
    if ((intersect && failed(verifySkippingOperands(intersect))) || (scan && failed(verifySkippingScan(scan))))
      return failure();
  }
  return success();
}

LogicalResult GraphOp::verifyRegions() {
  for (Operation &op : getBody().front())
    if (!llvm::isa_and_nonnull<SamDialect>(op.getDialect()) || llvm::isa<GraphOp>(op))
      return op.emitOpError("expected a declaration or a block of the graph");
  FailureOr<ResultOp> result = theResult(*this);
  if (failed(result) || failed(verifyNames(*this)) || failed(verifyWriters(*this, *result)) || failed(verifyWritten(*this, *result)) ||
      failed(verifyNested(*result)) || failed(verifyAcyclic(*this)) || failed(verifySkips(*this)))
    return failure();
  for (Operation &op : getBody().front())
    if (failed(verifyReferences(&op)))
      return failure();
  return success();
}
