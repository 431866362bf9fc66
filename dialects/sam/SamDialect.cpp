//===- SamDialect.cpp - the sam dialect: types, verifiers --------------------===//

#include "SamDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace comet::sam;

#include "SamDialect.cpp.inc"
#include "SamEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "SamTypes.cpp.inc"

#define GET_OP_CLASSES
#include "SamOps.cpp.inc"

void SamDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "SamTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "SamOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// !sam.tensor
//===----------------------------------------------------------------------===//

static void printLevel(raw_ostream &stream, const Level &level) {
  switch (level.kind) {
  case LevelKind::Dense:
    stream << "dense";
    break;
  case LevelKind::Compressed:
    stream << "compressed";
    break;
  case LevelKind::BitVector:
    stream << "bv<" << level.wordBits << ">";
    break;
  }
  stream << " " << level.mode;
}

void FibertreeType::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getLevels(), printer, [&](const Level &level) { printLevel(printer.getStream(), level); });
  printer << "], " << getElementType() << ">";
}

static ParseResult parseLevel(AsmParser &parser, SmallVectorImpl<Level> &levels) {
  StringRef word;
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<LevelKind> kind = llvm::StringSwitch<std::optional<LevelKind>>(word)
                                      .Case("dense", LevelKind::Dense)
                                      .Case("compressed", LevelKind::Compressed)
                                      .Case("bv", LevelKind::BitVector)
                                      .Default(std::nullopt);
  if (!kind)
    return parser.emitError(place) << "expected a level (dense, compressed, bv<b>), found `" << word << "`";
  Level level;
  level.kind = *kind;
  bool hasWords = level.kind == LevelKind::BitVector;
  if (hasWords && (parser.parseLess() || parser.parseInteger(level.wordBits) || parser.parseGreater()))
    return failure();
  levels.push_back(level);
  return parser.parseInteger(levels.back().mode);
}

Type FibertreeType::parse(AsmParser &parser) {
  SmallVector<Level> levels;
  Type element;
  auto parseOne = [&] { return parseLevel(parser, levels); };
  if (parser.parseLess() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne) || parser.parseComma() ||
      parser.parseType(element) || parser.parseGreater())
    return {};
  return parser.getChecked<FibertreeType>(parser.getContext(), levels, element);
}

static LogicalResult verifyElement(function_ref<InFlightDiagnostic()> emitError, Type element) {
  if (element.isF64() || element.isF32() || element.isSignlessInteger(64))
    return success();
  return emitError() << "expected an element type of f64, f32 or i64, found " << element;
}

static LogicalResult verifyWidth(function_ref<InFlightDiagnostic()> emitError, int64_t width) {
  if (width >= 1 && width <= 64)
    return success();
  return emitError() << "expected bit vectors of 1 to 64 bits, found " << width;
}

LogicalResult FibertreeType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<Level> levels, Type element) {
  for (const Level &level : levels)
    if (level.kind == LevelKind::BitVector && failed(verifyWidth(emitError, level.wordBits)))
      return failure();
  for (int64_t mode = 0; mode < int64_t(levels.size()); ++mode)
    if (llvm::count_if(levels, [&](const Level &level) { return level.mode == mode; }) != 1)
      return emitError() << "expected one level for each of the modes below " << levels.size() << ", found another number for mode " << mode;
  return verifyElement(emitError, element);
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

/// A stream that has a token for each coordinate has a fiber around them.
static LogicalResult verifyNested(function_ref<InFlightDiagnostic()> emitError, unsigned depth) {
  if (depth >= 1)
    return success();
  return emitError() << "expected a depth of 1 or more, found " << depth;
}

LogicalResult CrdType::verify(function_ref<InFlightDiagnostic()> emitError, unsigned depth) { return verifyNested(emitError, depth); }

LogicalResult RepsigType::verify(function_ref<InFlightDiagnostic()> emitError, unsigned depth) { return verifyNested(emitError, depth); }

LogicalResult ValType::verify(function_ref<InFlightDiagnostic()> emitError, Type element, unsigned) { return verifyElement(emitError, element); }

LogicalResult BvType::verify(function_ref<InFlightDiagnostic()> emitError, unsigned width, unsigned depth) {
  return failure(failed(verifyWidth(emitError, width)) || failed(verifyNested(emitError, depth)));
}

unsigned comet::sam::getDepth(Type stream) {
  return llvm::TypeSwitch<Type, unsigned>(stream)
      .Case<CrdType, RefType, ValType, RepsigType, BvType>([](auto type) { return type.getDepth(); })
      .Default([](Type) -> unsigned { llvm_unreachable("expected a stream"); });
}

static Type elementOf(Type values) { return llvm::cast<ValType>(values).getElementType(); }

static FibertreeType tensorType(Value tensor) { return llvm::cast<FibertreeType>(tensor.getType()); }

//===----------------------------------------------------------------------===//
// Verifiers of blocks
//===----------------------------------------------------------------------===//

/// What a port demands of the stream there.
static LogicalResult verifyType(Operation *op, const Twine &what, Type expected, Type found) {
  if (expected == found)
    return success();
  return op->emitOpError("expected ") << what << " of type " << expected << ", found " << found;
}

static Type crd(Operation *op, unsigned depth) { return CrdType::get(op->getContext(), depth); }

/// The same stream in fibers that are nested that deep.
static Type withDepth(Type stream, unsigned depth) {
  if (auto values = llvm::dyn_cast<ValType>(stream))
    return ValType::get(stream.getContext(), values.getElementType(), depth);
  return RefType::get(stream.getContext(), depth);
}

static LogicalResult verifyLevelNumber(Operation *op, Value tensor, uint64_t level) {
  size_t count = tensorType(tensor).getLevels().size();
  if (level < count)
    return success();
  return op->emitOpError("expected a level below ") << count << ", found " << int64_t(level);
}

/// What the coordinates of a level come in.
static Type coordinatesOf(Value tensor, uint64_t number, unsigned depth) {
  const Level &level = tensorType(tensor).getLevels()[number];
  if (level.kind == LevelKind::BitVector)
    return BvType::get(tensor.getContext(), level.wordBits, depth);
  return CrdType::get(tensor.getContext(), depth);
}

LogicalResult ScanOp::verify() {
  if (failed(verifyLevelNumber(*this, getTensor(), getLevel())))
    return failure();
  if (getLevel() > 0 && !getReference())
    return emitOpError("expected references to the fibers of level ") << getLevel() << ", which is not the first one";
  if (getSkip() && llvm::isa<BvType>(getCoordinates().getType()))
    return emitOpError("expected coordinates to leave out, found words of bits");
  unsigned depth = getReference() ? getDepth(getReference().getType()) + 1 : 1;
  if (failed(verifyType(*this, "coordinates", coordinatesOf(getTensor(), getLevel(), depth), getCoordinates().getType())))
    return failure();
  return verifyType(*this, "references to come out", RefType::get(getContext(), depth), getReferences().getType());
}

/// What all operands of a joiner come with: coordinates, or words of bits as wide as the first one's.
static Type entering(OperandRange coordinates, Type joined) {
  if (auto words = llvm::dyn_cast<BvType>(coordinates.front().getType()))
    return BvType::get(joined.getContext(), words.getWidth(), getDepth(joined));
  return joined;
}

/// A word comes with the reference of its first bit.
static LogicalResult verifyCarried(Operation *op, size_t number, Type coordinates, Type carried) {
  if (llvm::isa<BvType>(coordinates) && !llvm::isa<RefType>(carried))
    return op->emitOpError("expected references with the words of operand ") << number << ", found " << carried;
  return verifyType(op, "what comes with them in operand " + Twine(number), withDepth(carried, getDepth(coordinates)), carried);
}

/// All operands of a joiner come in fibers of one depth, and so does what comes out.
static LogicalResult verifyJoiner(Operation *op, ArrayAttr names, OperandRange coordinates, OperandRange carried, Type joined, ResultRange passed) {
  if (op->getNumOperands() % 2 != 0 || coordinates.empty())
    return op->emitOpError("expected coordinates and what comes with them of each operand, found ") << op->getNumOperands() << " streams";
  if (names.size() != coordinates.size())
    return op->emitOpError("expected a name for each of the ") << coordinates.size() << " operands, found " << names.size();
  if (passed.size() != carried.size())
    return op->emitOpError("expected a stream to come out for each of the ") << carried.size() << " operands, found " << passed.size();
  Type expected = entering(coordinates, joined);
  for (size_t number = 0; number < carried.size(); ++number) {
    Type type = carried[number].getType();
    if (failed(verifyType(op, "coordinates of operand " + Twine(number), expected, coordinates[number].getType())) ||
        failed(verifyCarried(op, number, expected, type)) ||
        failed(verifyType(op, "what comes out of operand " + Twine(number), type, passed[number].getType())))
      return failure();
  }
  return success();
}

/// What skips are operands, each listed once. Words of bits are looked at as they come.
static LogicalResult verifySkips(IntersectOp op) {
  ArrayRef<int64_t> skips = op.getSkips().value_or(ArrayRef<int64_t>());
  if (!skips.empty() && llvm::isa<BvType>(op.getCoordinates().front().getType()))
    return op.emitOpError("expected coordinates to skip, found words of bits");
  int64_t least = 0, count = op.getCoordinates().size();
  for (int64_t operand : skips) {
    if (operand < least || operand >= count)
      return op.emitOpError("expected numbers of operands below ") << count << " that ascend, found " << operand;
    least = operand + 1;
  }
  return success();
}

LogicalResult IntersectOp::verify() {
  if (failed(verifyJoiner(*this, getNames(), getCoordinates(), getCarried(), getJoined().getType(), getPassed())))
    return failure();
  return verifySkips(*this);
}

LogicalResult UnionOp::verify() { return verifyJoiner(*this, getNames(), getCoordinates(), getCarried(), getJoined().getType(), getPassed()); }

LogicalResult ToWordsOp::verify() {
  unsigned depth = getDepth(getCoordinates().getType());
  auto words = llvm::cast<BvType>(getWords().getType());
  if (failed(verifyType(*this, "words", BvType::get(getContext(), words.getWidth(), depth), words)))
    return failure();
  if (bool(getReferences()) != bool(getFirst()))
    return emitOpError("expected references to come out where they come in, and nowhere else");
  if (!getReferences())
    return success();
  Type expected = RefType::get(getContext(), depth);
  if (failed(verifyType(*this, "references", expected, getReferences().getType())))
    return failure();
  return verifyType(*this, "references to come out", expected, getFirst().getType());
}

LogicalResult ParallelizeOp::verify() {
  if (getDealt().empty())
    return emitOpError("expected a stream to come out, found none");
  Type elements = getElements().getType();
  if (getDepth(elements) == 0)
    return emitOpError("expected elements of fibers, found ") << elements;
  for (auto [number, dealt] : llvm::enumerate(getDealt()))
    if (failed(verifyType(*this, "stream " + Twine(number) + " to come out", elements, dealt.getType())))
      return failure();
  return success();
}

/// What a coordinate has is as deep as the coordinates, or deeper by the levels of its fibers.
static LogicalResult verifySerial(SerializeOp op, Type coordinates) {
  Type carried = op.getCarried().front().getType();
  if (getDepth(carried) < getDepth(coordinates))
    return op.emitOpError("expected what is carried in fibers as deep as ") << coordinates << " or deeper, found " << carried;
  for (auto [number, stream] : llvm::enumerate(op.getCarried()))
    if (failed(verifyType(op, "what is carried in stream " + Twine(number), carried, stream.getType())))
      return failure();
  return verifyType(op, "a result", carried, op.getSerial().getType());
}

LogicalResult SerializeOp::verify() {
  if (getCoordinates().empty())
    return emitOpError("expected coordinates, found none");
  if (!getCarried().empty() && getCarried().size() != getCoordinates().size())
    return emitOpError("expected something carried for each of the ") << getCoordinates().size() << " streams, found " << getCarried().size();
  Type coordinates = getCoordinates().front().getType();
  for (auto [number, stream] : llvm::enumerate(getCoordinates()))
    if (failed(verifyType(*this, "coordinates " + Twine(number), coordinates, stream.getType())))
      return failure();
  if (getCarried().empty())
    return verifyType(*this, "a result", coordinates, getSerial().getType());
  return verifySerial(*this, coordinates);
}

LogicalResult FetchOp::verify() { return verifyLevelNumber(*this, getTensor(), getLevel()); }

LogicalResult RepeatSignalOp::verify() {
  Type expected = RepsigType::get(getContext(), getDepth(getCoordinates().getType()));
  return verifyType(*this, "signals", expected, getSignals().getType());
}

LogicalResult RepeatOp::verify() {
  Type repeated = getRepeated().getType();
  if (llvm::isa<FibertreeType>(repeated))
    repeated = RefType::get(getContext(), 0);
  unsigned depth = getDepth(repeated) + 1;
  if (failed(verifyType(*this, "signals", RepsigType::get(getContext(), depth), getSignals().getType())))
    return failure();
  return verifyType(*this, "what is repeated to come out", withDepth(repeated, depth), getResult().getType());
}

LogicalResult LocateOp::verify() {
  if (failed(verifyLevelNumber(*this, getTensor(), getLevel())))
    return failure();
  if (getLevel() > 0 && !getReference())
    return emitOpError("expected references to the fibers of level ") << getLevel() << ", which is not the first one";
  Type expected = RefType::get(getContext(), getDepth(getCoordinates().getType()));
  if (getReference() && failed(verifyType(*this, "references", expected, getReference().getType())))
    return failure();
  return verifyType(*this, "references to come out", expected, getReferences().getType());
}

LogicalResult ArrayOp::verify() {
  FibertreeType tensor = tensorType(getTensor());
  if (!getReferences() && !tensor.getLevels().empty())
    return emitOpError("expected references to the values of ") << tensor << ", which is no scalar";
  unsigned depth = getReferences() ? getDepth(getReferences().getType()) : 0;
  return verifyType(*this, "values", ValType::get(getContext(), tensor.getElementType(), depth), getValues().getType());
}

LogicalResult ApplyOp::verify() {
  Type value = getValue().getType(), result = getResult().getType();
  if (getFunction() != Function::Convert)
    return verifyType(*this, "a result", value, result);
  return verifyType(*this, "a result", ValType::get(getContext(), elementOf(result), getDepth(value)), result);
}

LogicalResult MaskOp::verify() {
  Type mask = getMask().getType();
  return verifyType(*this, "a mask", withDepth(mask, getDepth(getValue().getType())), mask);
}

/// A reducer takes several streams of values of one type, and at least one.
static LogicalResult verifyInputs(Operation *op, OperandRange values) {
  if (values.empty())
    return op->emitOpError("expected values, found none");
  for (auto [number, stream] : llvm::enumerate(values))
    if (failed(verifyType(op, "values " + Twine(number), values.front().getType(), stream.getType())))
      return failure();
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyInputs(*this, getValues())))
    return failure();
  Type values = getValues().front().getType();
  bool needsAround = getEmpty() == EmptyFiber::Absent;
  if (needsAround != bool(getAround()))
    return emitOpError("expected the coordinates around where empty fibers become absent, and nowhere else");
  unsigned depth = getDepth(values), least = needsAround ? 2 : 1;
  if (depth < least)
    return emitOpError("expected values of a depth of ") << least << " or more, found " << values;
  if (needsAround && failed(verifyType(*this, "coordinates around", crd(*this, depth - 1), getAround().getType())))
    return failure();
  return verifyType(*this, "a result", withDepth(values, depth - 1), getResult().getType());
}

/// The depth of the coordinates that come in, the innermost first; outer ones are held where points come.
static unsigned depthIn(Form form, unsigned values, unsigned number) { return form == Form::Points ? values : values - number; }

LogicalResult AccumulateOp::verify() {
  size_t count = getIndices().size(), inputs = getValues().size();
  bool isLevels = getForm() == Form::Levels;
  if (failed(verifyInputs(*this, getValues())))
    return failure();
  if (count == 0 || getCoordinates().size() != count * inputs || getAccumulated().size() != count)
    return emitOpError("expected coordinates to come with each value and to go for each of its index variables, found ")
           << count << " variables, " << inputs << " values, " << getCoordinates().size() << " that come and " << getAccumulated().size() << " that go";
  if (int64_t(getOrder()) < 1 || getOrder() > count || (isLevels && getOrder() != count))
    return emitOpError("expected an order of ") << (isLevels ? "" : "1 to ") << count << ", found " << int64_t(getOrder());
  Type values = getValues().front().getType();
  unsigned depth = getDepth(values), least = isLevels ? count + 1 : count;
  if (depth < least)
    return emitOpError("expected values of a depth of ") << least << " or more, found " << values;
  for (unsigned number = 0; number < count * inputs; ++number)
    if (failed(verifyType(*this, "coordinates " + Twine(number), crd(*this, depthIn(getForm(), depth, number % count)), getCoordinates()[number].getType())))
      return failure();
  unsigned depthOut = isLevels ? depth - 1 : count;
  for (unsigned number = 0; number < count; ++number)
    if (failed(verifyType(*this, "coordinates " + Twine(number) + " to come out", crd(*this, depthOut - number), getAccumulated()[number].getType())))
      return failure();
  return verifyType(*this, "a result", withDepth(values, depthOut), getResult().getType());
}

LogicalResult DropOp::verify() {
  Type inner = getInner().getType();
  unsigned depth = getDepth(getOuter().getType());
  if (getDropped() == Dropped::Fibers)
    return verifyType(*this, "inner coordinates", crd(*this, depth + 1), inner);
  if (!llvm::isa<ValType>(inner))
    return emitOpError("expected values as the inner stream, found ") << inner;
  return verifyType(*this, "values", withDepth(inner, depth), inner);
}

LogicalResult HoldOp::verify() { return verifyType(*this, "inner coordinates", crd(*this, getDepth(getOuter().getType()) + 1), getInner().getType()); }

LogicalResult WriteLevelOp::verify() {
  if (failed(verifyLevelNumber(*this, getTensor(), getLevel())))
    return failure();
  if (getSingle() && getLevel() == 0)
    return emitOpError("expected a level above, whose index variable is repeated");
  Type found = getCoordinates().getType();
  return verifyType(*this, "coordinates", coordinatesOf(getTensor(), getLevel(), getDepth(found)), found);
}

LogicalResult WriteValuesOp::verify() {
  FibertreeType tensor = tensorType(getTensor());
  unsigned depth = getDepth(getValues().getType());
  if (failed(verifyType(*this, "values", ValType::get(getContext(), tensor.getElementType(), depth), getValues().getType())))
    return failure();
  if (!getPlaces() && getKept())
    return emitOpError("expected places to write to where the other elements are kept");
  if (!getPlaces())
    return success();
  if (!llvm::all_of(tensor.getLevels(), [](const Level &level) { return level.kind == LevelKind::Dense; }))
    return emitOpError("expected dense levels to scatter into, found ") << tensor;
  return verifyType(*this, "references", RefType::get(getContext(), depth), getPlaces().getType());
}
