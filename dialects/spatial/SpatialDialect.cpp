//===- SpatialDialect.cpp - the spatial dialect: types, verifiers of operations ----===//

#include "SpatialDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace comet::spatial;

//===----------------------------------------------------------------------===//
// The bodies of patterns: (%i "i", %j "j") { … }
//===----------------------------------------------------------------------===//

static ParseResult parsePattern(OpAsmParser &parser, Region &body, ArrayAttr &binders) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Attribute> names;
  auto parseBinder = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    StringAttr name;
    if (parser.parseArgument(argument) || parser.parseAttribute(name))
      return failure();
    argument.type = parser.getBuilder().getI32Type();
    names.push_back(name);
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseBinder) || parser.parseRegion(body, arguments))
    return failure();
  if (body.empty())
    body.emplaceBlock();
  binders = parser.getBuilder().getArrayAttr(names);
  return success();
}

static void printPattern(OpAsmPrinter &printer, Operation *, Region &body, ArrayAttr binders) {
  printer << "(";
  llvm::interleaveComma(llvm::zip(body.getArguments(), binders), printer, [&](auto binder) {
    printer << std::get<0>(binder) << " " << std::get<1>(binder);
  });
  printer << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// Barriers: pop %a, push %b
//===----------------------------------------------------------------------===//

static ParseResult parseBarriers(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &barriers, ArrayAttr &actions) {
  SmallVector<StringRef> words;
  auto parseUse = [&] { return failure(parser.parseKeyword(&words.emplace_back()) || parser.parseOperand(barriers.emplace_back())); };
  if (parser.parseCommaSeparatedList([&]() -> ParseResult { return parseUse(); }))
    return failure();
  actions = parser.getBuilder().getStrArrayAttr(words);
  return success();
}

static void printBarriers(OpAsmPrinter &printer, Operation *, OperandRange barriers, ArrayAttr actions) {
  llvm::interleaveComma(llvm::zip(actions.getAsRange<StringAttr>(), barriers), printer, [&](auto use) {
    printer << std::get<0>(use).getValue() << " " << std::get<1>(use);
  });
}

#include "SpatialDialect.cpp.inc"
#include "SpatialEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "SpatialTypes.cpp.inc"

#define GET_OP_CLASSES
#include "SpatialOps.cpp.inc"

void SpatialDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "SpatialTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "SpatialOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Names and types
//===----------------------------------------------------------------------===//

bool comet::spatial::isName(StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) && llvm::all_of(text, [](char letter) { return llvm::isAlnum(letter) || letter == '_'; });
}

bool comet::spatial::isOrder(StringRef text) { return text == "ordered" || text == "unordered"; }

bool comet::spatial::isElement(Type type) {
  return type.isSignlessInteger(32) || type.isSignlessInteger(64) || type.isUnsignedInteger(32) || type.isF32() || type.isF64() || type.isSignlessInteger(1);
}

Type comet::spatial::getElement(Type memory) {
  return llvm::TypeSwitch<Type, Type>(memory)
      .Case<DramType, SparseDramType, SramType, SparseSramType, FifoType, RegType, ArrayType, ArgInType, ArgOutType>([](auto type) { return type.getElement(); })
      .Case([](BitsType type) -> Type { return IntegerType::get(type.getContext(), 32, IntegerType::Unsigned); })
      .Default([](Type) { return Type(); });
}

void comet::spatial::nameBinders(ArrayAttr binders, Region &body, OpAsmSetValueNameFn setName) {
  for (auto [name, argument] : llvm::zip(binders.getAsRange<StringAttr>(), body.getArguments()))
    setName(argument, name.getValue());
}

static LogicalResult verifyElement(function_ref<InFlightDiagnostic()> emitError, Type element) {
  if (isElement(element))
    return success();
  return emitError() << "expected elements of i32, i64, ui32, f32, f64 or i1, found " << element;
}

LogicalResult DramType::verify(function_ref<InFlightDiagnostic()> emitError, Type element) { return verifyElement(emitError, element); }
LogicalResult SparseDramType::verify(function_ref<InFlightDiagnostic()> emitError, Type element) { return verifyElement(emitError, element); }
LogicalResult SramType::verify(function_ref<InFlightDiagnostic()> emitError, Type element) { return verifyElement(emitError, element); }
LogicalResult SparseSramType::verify(function_ref<InFlightDiagnostic()> emitError, Type element) { return verifyElement(emitError, element); }
LogicalResult RegType::verify(function_ref<InFlightDiagnostic()> emitError, Type element) { return verifyElement(emitError, element); }
LogicalResult ArrayType::verify(function_ref<InFlightDiagnostic()> emitError, Type element) { return verifyElement(emitError, element); }
LogicalResult ArgInType::verify(function_ref<InFlightDiagnostic()> emitError, Type element) { return verifyElement(emitError, element); }
LogicalResult ArgOutType::verify(function_ref<InFlightDiagnostic()> emitError, Type element) { return verifyElement(emitError, element); }

LogicalResult FifoType::verify(function_ref<InFlightDiagnostic()> emitError, Type element) {
  if (element.isUnsignedInteger(32))
    return emitError() << "expected `!spatial.bits` for a FIFO of words";
  return verifyElement(emitError, element);
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

static bool isStored(const comet::ta::Level &level) {
  using comet::ta::LevelKind;
  return level.expr != comet::ta::LevelExpr::Slot && (level.kind == LevelKind::Dense || level.kind == LevelKind::CompressedUnique);
}

LogicalResult TensorOp::verify() {
  auto tensor = llvm::cast<RankedTensorType>(getSource().getType());
  comet::ta::FormatAttr format = comet::ta::getFormat(tensor);
  if (!format || llvm::all_of(format.getLevels(), isStored))
    return success();
  return emitOpError("expected a tensor whose levels are D or CU, each of a mode or of tiles of one, found ") << tensor;
}

LogicalResult ParameterOp::verify() {
  if (llvm::isInt<32>(int64_t(getValue())))
    return success();
  return emitOpError("expected a number of 32 bits, found ") << int64_t(getValue());
}

LogicalResult SparseSramOp::verify() {
  if (getPar() || (!getSwizzled() && !getGuarded()))
    return success();
  return emitOpError("expected how many rounds use what is swizzled or guarded");
}

/// An action for each barrier.
static LogicalResult verifyBarriers(Operation *op, OperandRange barriers, std::optional<ArrayAttr> actions) {
  size_t count = 0;
  for (StringAttr action : actions.value_or(ArrayAttr::get(op->getContext(), {})).getAsRange<StringAttr>())
    count += action.getValue() == "push" || action.getValue() == "pop";
  if (count == barriers.size() && (!actions || actions->size() == count))
    return success();
  return op->emitOpError("expected `push` or `pop` for each barrier");
}

LogicalResult ModifyOp::verify() { return verifyBarriers(*this, getBarriers(), getActions()); }
LogicalResult ModifiedOp::verify() { return verifyBarriers(*this, getBarriers(), getActions()); }
LogicalResult BarrierWriteOp::verify() { return verifyBarriers(*this, getBarriers(), getActions()); }
LogicalResult BarrierReadOp::verify() { return verifyBarriers(*this, getBarriers(), getActions()); }

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool isFloat(Type type) { return llvm::isa<FloatType>(type); }

/// Whether an integer type has a number; a floating-point one has the nearest.
static bool holds(Type type, int64_t number) {
  if (isFloat(type) || type.isSignlessInteger(64))
    return true;
  return type.isUnsignedInteger() ? llvm::isUInt<32>(number) : llvm::isInt<32>(number);
}

LogicalResult IntOp::verify() {
  if (holds(getType(), int64_t(getValue())))
    return success();
  return emitOpError("expected a number that ") << getType() << " has, found " << int64_t(getValue());
}

static bool compares(Operator with) {
  switch (with) {
  case Operator::Equal:
  case Operator::NotEqual:
  case Operator::Less:
  case Operator::LessEqual:
  case Operator::Greater:
  case Operator::GreaterEqual:
    return true;
  default:
    return false;
  }
}

static bool isOfBits(Operator with) { return with == Operator::And || with == Operator::Or; }

/// Whether an operator takes conditions.
static bool takesConditions(Operator with) { return isOfBits(with) || with == Operator::Equal || with == Operator::NotEqual; }

static LogicalResult verifyOperator(Operation *op, Operator with, Type operand) {
  if (isFloat(operand) && (isOfBits(with) || with == Operator::Remainder))
    return op->emitOpError("expected integers as operands of `") << stringifyOperator(with) << "`, found " << operand;
  if (operand.isInteger(1) && !takesConditions(with))
    return op->emitOpError("expected numbers as operands of `") << stringifyOperator(with) << "`, found " << operand;
  return success();
}

LogicalResult BinaryOp::inferReturnTypes(MLIRContext *context, std::optional<Location>, ValueRange operands, DictionaryAttr attributes,
                                         OpaqueProperties properties, RegionRange regions, SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  results.push_back(compares(adaptor.getOp()) ? IntegerType::get(context, 1) : adaptor.getLeft().getType());
  return success();
}

LogicalResult BinaryOp::verify() { return verifyOperator(*this, getOp(), getLeft().getType()); }

LogicalResult JoinOp::verify() {
  if (llvm::is_contained((*this)->getOperandTypes(), getType()))
    return success();
  return emitOpError("expected a text, found ") << getLeft().getType() << " and " << getRight().getType();
}

LogicalResult CallOp::verify() {
  if (getFunction() == Function::Abs || isFloat(getType()))
    return success();
  return emitOpError("expected a floating-point number for `") << stringifyFunction(getFunction()) << "`, found " << getType();
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// How many values an iteration has; none where it is not said what the iterations are.
static std::optional<size_t> countBinders(Value rounds) {
  Operation *op = rounds.getDefiningOp();
  if (llvm::isa_and_nonnull<CounterOp>(op))
    return 1;
  if (llvm::isa_and_nonnull<ScanOp>(op))
    return 2;
  if (llvm::isa_and_nonnull<ScanTwoOp>(op))
    return 4;
  return std::nullopt;
}

static LogicalResult verifyBinders(Operation *op, size_t count, ArrayAttr binders) {
  if (count != binders.size())
    return op->emitOpError("expected ") << count << " names for the values of a round, found " << binders.size();
  for (StringAttr name : binders.getAsRange<StringAttr>())
    if (!isName(name.getValue()))
      return op->emitOpError("expected a name for a value of a round, found \"") << name.getValue() << "\"";
  return success();
}

/// Counters or one scan, and as many names as an iteration of them has values.
static LogicalResult verifyDomain(Operation *op, OperandRange domain, ArrayAttr binders) {
  size_t count = 0;
  for (Value rounds : domain) {
    std::optional<size_t> values = countBinders(rounds);
    if (!values)
      return op->emitOpError("expected the rounds of a counter or a scan");
    if (domain.size() > 1 && *values > 1)
      return op->emitOpError("expected counters, or one scan by itself");
    count += *values;
  }
  if (count == 0)
    return op->emitOpError("expected rounds to go over, found none");
  return verifyBinders(op, count, binders);
}

static LogicalResult verifyArguments(Operation *op, ArrayAttr binders) {
  TypeRange found = op->getRegion(0).getArgumentTypes();
  if (found.size() == binders.size() && llvm::all_of(found, [](Type type) { return type.isSignlessInteger(32); }))
    return success();
  return op->emitOpError("expected a body with an argument of type i32 for each of ") << binders.size() << " names";
}

/// An operator whose result does not depend on how iterations are put together.
static LogicalResult verifyReduction(Operation *op, Operator with, Type element) {
  bool reduces = !compares(with) && with != Operator::Subtract && with != Operator::Divide && with != Operator::Remainder;
  if (!reduces)
    return op->emitOpError("expected an operator that reduces, found `") << stringifyOperator(with) << "`";
  return verifyOperator(op, with, element);
}

static FailureOr<Type> yieldedType(Operation *op) {
  Block &body = op->getRegion(0).front();
  if (auto yield = llvm::dyn_cast<YieldOp>(body.getTerminator()))
    return yield.getValue().getType();
  return op->emitOpError("expected to end with `spatial.yield`");
}

LogicalResult ForeachOp::verify() { return verifyDomain(*this, getDomain(), getBinders()); }
LogicalResult ForeachOp::verifyRegions() { return verifyArguments(*this, getBinders()); }

LogicalResult ReduceOp::verify() {
  if (failed(verifyDomain(*this, getDomain(), getBinders())))
    return failure();
  return verifyReduction(*this, getWith(), getElement(getReg().getType()));
}

/// A body that gives values of that type.
static LogicalResult verifyYielded(Operation *op, ArrayAttr binders, Type expected) {
  FailureOr<Type> found = yieldedType(op);
  if (failed(found) || failed(verifyArguments(op, binders)))
    return failure();
  if (*found == expected)
    return success();
  return op->emitOpError("expected rounds to yield ") << expected << ", found " << *found;
}

LogicalResult ReduceOp::verifyRegions() { return verifyYielded(*this, getBinders(), getElement(getReg().getType())); }

LogicalResult TabulateOp::verify() { return verifyBinders(*this, 1, getBinders()); }
LogicalResult TabulateOp::verifyRegions() { return verifyYielded(*this, getBinders(), getElement(getType())); }

LogicalResult MemReduceOp::verify() {
  if (failed(verifyDomain(*this, getDomain(), getBinders())))
    return failure();
  return verifyReduction(*this, getWith(), getElement(getMemory().getType()));
}

LogicalResult MemReduceOp::verifyRegions() {
  FailureOr<Type> found = yieldedType(*this);
  if (failed(found) || failed(verifyArguments(*this, getBinders())))
    return failure();
  Type expected = getElement(getMemory().getType());
  if (getElement(*found) == expected)
    return success();
  return emitOpError("expected rounds to yield an SRAM of ") << expected << ", found " << *found;
}
