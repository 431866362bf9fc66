//===- TaDialect.cpp - the ta dialect: attributes, types, verifiers ----------===//

#include "TaDialect.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace comet::ta;

#include "TaDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "TaAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "TaTypes.cpp.inc"

#define GET_OP_CLASSES
#include "TaOps.cpp.inc"

void TaDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TaAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "TaTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "TaOps.cpp.inc"
      >();
}

FormatAttr comet::ta::getFormat(Type type) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  return tensor ? llvm::dyn_cast_or_null<FormatAttr>(tensor.getEncoding()) : FormatAttr();
}

//===----------------------------------------------------------------------===//
// #ta.format
//===----------------------------------------------------------------------===//

unsigned FormatAttr::getRank() const {
  int64_t rank = 0;
  for (const Level &level : getLevels())
    if (level.expr != LevelExpr::Slot)
      rank = std::max(rank, level.mode + 1);
  return rank;
}

bool FormatAttr::hasIdentityOrder() const {
  for (auto [number, level] : llvm::enumerate(getLevels()))
    if (level.expr != LevelExpr::Mode || level.mode != int64_t(number))
      return false;
  return true;
}

static void printKind(AsmPrinter &printer, const Level &level) {
  printer << level.format().word;
  if (level.format().hasWords)
    printer << "<" << level.wordBits << ">";
}

/// The words of the formats that have a property: `D, CU or CN`.
static std::string words(llvm::function_ref<bool(const LevelFormat &)> hasProperty, StringRef conjunction, StringRef widthOfWords = "") {
  SmallVector<std::string> found;
  for (const LevelFormat &format : levelFormats)
    if (hasProperty(format))
      found.push_back(format.word.str() + (format.hasWords ? widthOfWords.str() : ""));
  std::string last = found.pop_back_val();
  return llvm::join(found, ", ") + conjunction.str() + last;
}

static void printExpr(AsmPrinter &printer, const Level &level) {
  switch (level.expr) {
  case LevelExpr::Mode:
    printer << "d" << level.mode;
    return;
  case LevelExpr::Div:
    printer << "d" << level.mode << " floordiv " << level.factor;
    return;
  case LevelExpr::Mod:
    printer << "d" << level.mode << " mod " << level.factor;
    return;
  case LevelExpr::Slot:
    printer << "slot";
    return;
  }
}

void FormatAttr::print(AsmPrinter &printer) const {
  bool identity = hasIdentityOrder();
  printer << "<[";
  llvm::interleaveComma(getLevels(), printer, [&](const Level &level) {
    if (!identity) {
      printExpr(printer, level);
      printer << " : ";
    }
    printKind(printer, level);
  });
  printer << "]";
  if (getIndexWidth() != 32)
    printer << ", index = " << getIndexWidth();
  if (getMemory() != Memory::Unspecified)
    printer << ", memory = " << (getMemory() == Memory::OnChip ? "onchip" : "offchip");
  printer << ">";
}

static ParseResult parseKind(AsmParser &parser, StringRef word, Level &level) {
  const LevelFormat *format = llvm::find_if(levelFormats, [&](const LevelFormat &format) { return format.word == word; });
  if (format == std::end(levelFormats)) {
    std::string expected = words([](const LevelFormat &) { return true; }, ", ", "<b>");
    return parser.emitError(parser.getCurrentLocation()) << "expected a level format (" << expected << "), found `" << word << "`";
  }
  level.kind = LevelKind(format - std::begin(levelFormats));
  if (!format->hasWords)
    return success();
  return failure(parser.parseLess() || parser.parseInteger(level.wordBits) || parser.parseGreater());
}

/// After `dN` or `slot`: an optional `floordiv n` or `mod n`, then `: kind`.
static ParseResult parseMapped(AsmParser &parser, StringRef word, Level &level) {
  if (word == "slot") {
    level.expr = LevelExpr::Slot;
  } else if (word.drop_front().getAsInteger(10, level.mode)) {
    return parser.emitError(parser.getCurrentLocation()) << "expected a mode such as `d0`, found `" << word << "`";
  } else if (succeeded(parser.parseOptionalKeyword("floordiv"))) {
    level.expr = LevelExpr::Div;
    if (parser.parseInteger(level.factor))
      return failure();
  } else if (succeeded(parser.parseOptionalKeyword("mod"))) {
    level.expr = LevelExpr::Mod;
    if (parser.parseInteger(level.factor))
      return failure();
  }
  StringRef kind;
  return failure(parser.parseColon() || parser.parseKeyword(&kind) || parseKind(parser, kind, level));
}

static ParseResult parseLevel(AsmParser &parser, SmallVectorImpl<Level> &levels) {
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  Level level;
  bool mapped = word == "slot" || word.starts_with("d");
  if (!mapped)
    level.mode = levels.size();
  if (failed(mapped ? parseMapped(parser, word, level) : parseKind(parser, word, level)))
    return failure();
  levels.push_back(level);
  return success();
}

static ParseResult parseFormatOption(AsmParser &parser, unsigned &indexWidth, Memory &memory) {
  StringRef name, region;
  if (parser.parseKeyword(&name) || parser.parseEqual())
    return failure();
  if (name == "index")
    return parser.parseInteger(indexWidth);
  if (name != "memory")
    return parser.emitError(parser.getCurrentLocation()) << "expected `index` or `memory`, found `" << name << "`";
  if (parser.parseKeyword(&region))
    return failure();
  if (region != "onchip" && region != "offchip")
    return parser.emitError(parser.getCurrentLocation()) << "expected `onchip` or `offchip`, found `" << region << "`";
  memory = region == "onchip" ? Memory::OnChip : Memory::OffChip;
  return success();
}

Attribute FormatAttr::parse(AsmParser &parser, Type) {
  SmallVector<Level> levels;
  unsigned indexWidth = 32;
  Memory memory = Memory::Unspecified;
  auto parseOne = [&] { return parseLevel(parser, levels); };
  if (parser.parseLess() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return {};
  while (succeeded(parser.parseOptionalComma()))
    if (parseFormatOption(parser, indexWidth, memory))
      return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<FormatAttr>(parser.getContext(), levels, indexWidth, memory);
}

/// Each mode is stored once: whole, or as a quotient and a remainder by the same number.
static LogicalResult verifyMode(function_ref<InFlightDiagnostic()> emitError, ArrayRef<Level> levels, int64_t mode) {
  SmallVector<int64_t> quotients, remainders;
  int64_t whole = 0;
  for (const Level &level : levels) {
    if (level.mode != mode || level.expr == LevelExpr::Slot)
      continue;
    if (level.expr == LevelExpr::Mode)
      ++whole;
    else
      (level.expr == LevelExpr::Div ? quotients : remainders).push_back(level.factor);
  }
  bool isSplit = whole == 0 && quotients.size() == 1 && quotients == remainders;
  bool isWhole = whole == 1 && quotients.empty() && remainders.empty();
  if (isSplit || isWhole)
    return success();
  return emitError() << "mode d" << mode << " must be stored once: whole, or as a quotient and a remainder by the same number";
}

static LogicalResult verifyLevel(function_ref<InFlightDiagnostic()> emitError, ArrayRef<Level> levels, size_t number) {
  const Level &level = levels[number];
  bool isSplit = level.expr == LevelExpr::Div || level.expr == LevelExpr::Mod;
  if (isSplit && level.factor < 1)
    return emitError() << "expected a positive block size, found " << level.factor;
  if (level.format().hasWords && level.wordBits != 8 && level.wordBits != 16 && level.wordBits != 32 && level.wordBits != 64)
    return emitError() << "expected a bit vector of 8, 16, 32 or 64 bits a word, found " << level.wordBits;
  if (level.expr != LevelExpr::Slot)
    return success();
  bool isAboveSingleton = number + 1 < levels.size() && levels[number + 1].format().isBranchless;
  if (level.format().isFull && isAboveSingleton)
    return success();
  return emitError() << "a slot must be D, above an S level that says whether it is used";
}

LogicalResult FormatAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<Level> levels, unsigned indexWidth, Memory) {
  if (indexWidth != 32 && indexWidth != 64)
    return emitError() << "expected an index width of 32 or 64 bits, found " << indexWidth;
  if (!levels.empty() && levels.front().format().isBranchless)
    return emitError() << "the first level cannot be " << levels.front().format().word << ": it has no parent positions";
  int64_t rank = 0;
  for (auto [number, level] : llvm::enumerate(levels)) {
    if (failed(verifyLevel(emitError, levels, number)))
      return failure();
    if (level.expr != LevelExpr::Slot)
      rank = std::max(rank, level.mode + 1);
  }
  for (int64_t mode = 0; mode < rank; ++mode)
    if (failed(verifyMode(emitError, levels, mode)))
      return failure();
  return success();
}

LogicalResult FormatAttr::verifyEncoding(ArrayRef<int64_t> shape, Type, function_ref<InFlightDiagnostic()> emitError) const {
  if (getRank() == shape.size())
    return success();
  return emitError() << "expected a format of rank " << shape.size() << ", found one of rank " << getRank();
}

//===----------------------------------------------------------------------===//
// #ta.file_mode, !ta.labeled
//===----------------------------------------------------------------------===//

/// `env:`, `env:<digits>` or `path:<path>`.
static bool isSource(StringRef source) {
  if (source.consume_front("path:"))
    return !source.empty();
  return source.consume_front("env:") && llvm::all_of(source, llvm::isDigit);
}

static constexpr llvm::StringLiteral expectedSource = "expected a source `env:`, `env:<digits>` or `path:<path>`, found \"";

LogicalResult FileModeAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef source, StringRef, int64_t rank, int64_t mode) {
  if (!isSource(source))
    return emitError() << expectedSource << source << "\"";
  if (mode < 0 || mode >= rank)
    return emitError() << "expected a mode below the rank " << rank << ", found " << mode;
  return success();
}

/// The type that elements are computed in: i64 for integers, f32 for halves.
static Type computedType(Type element) {
  if (llvm::isa<IntegerType>(element))
    return IntegerType::get(element.getContext(), 64);
  return element.isF16() || element.isBF16() ? Float32Type::get(element.getContext()) : element;
}

/// The type of numbers in memory: halves are their bits, a truth is a byte, and a complex element is two numbers.
static Type storedType(Type element) {
  if (auto complex = llvm::dyn_cast<ComplexType>(element))
    return complex.getElementType();
  if (computedType(element) == element)
    return element;
  return IntegerType::get(element.getContext(), std::max(8u, element.getIntOrFloatBitWidth()));
}

/// The type of numbers in the text that elements are made of: of the parts of complex ones.
static Type numberType(Type element) {
  return llvm::isa<ComplexType>(element) ? storedType(element) : computedType(element);
}

static bool isElement(Type type) {
  if (auto complex = llvm::dyn_cast<ComplexType>(type))
    return complex.getElementType().isF64() || complex.getElementType().isF32();
  if (auto integer = llvm::dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    if (integer.isUnsigned())
      return width == 8 || width == 32;
    return integer.isSignless() && (width == 1 || width == 8 || width == 16 || width == 32 || width == 64);
  }
  return type.isF64() || type.isF32() || type.isF16() || type.isBF16();
}

LogicalResult LabeledType::verify(function_ref<InFlightDiagnostic()> emitError, Type element) {
  if (!isElement(element))
    return emitError() << "expected an element type such as f64, found " << element;
  return success();
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

static RankedTensorType tensorType(Value tensor) { return llvm::cast<RankedTensorType>(tensor.getType()); }

/// The element type of an index expression.
static Type labeledElement(Value expression) { return llvm::cast<LabeledType>(expression.getType()).getElementType(); }

static std::optional<int64_t> constantOf(Value value) {
  APInt number;
  return matchPattern(value, m_ConstantInt(&number)) ? std::optional(number.getSExtValue()) : std::nullopt;
}

LogicalResult IndexLabelStaticOp::verify() {
  std::optional<int64_t> step = constantOf(getStep());
  if (step && *step < 1)
    return emitOpError("expected a positive step, found ") << *step;
  return success();
}

static LogicalResult verifySources(Operation *op, ArrayAttr sources) {
  if (sources.empty())
    return op->emitOpError("expected at least one source");
  for (Attribute source : sources)
    if (!llvm::isa<FileModeAttr>(source))
      return op->emitOpError("expected `#ta.file_mode` sources, found ") << source;
  return success();
}

LogicalResult IndexLabelDynamicOp::verify() { return verifySources(*this, getSources()); }
LogicalResult SolveSizeOp::verify() { return verifySources(*this, getSources()); }

static LogicalResult verifyLabelCount(Operation *op, RankedTensorType tensor, size_t labels) {
  if (size_t(tensor.getRank()) != labels)
    return op->emitOpError("expected one label for each of the ") << tensor.getRank() << " modes, found " << labels;
  return success();
}

/// The extent of a label whose bounds are constants.
static std::optional<int64_t> extentOf(Value label) {
  auto fixed = label.getDefiningOp<IndexLabelStaticOp>();
  if (!fixed)
    return std::nullopt;
  std::optional<int64_t> start = constantOf(fixed.getStart()), end = constantOf(fixed.getEnd()), step = constantOf(fixed.getStep());
  if (!start || !end || !step || *step < 1)
    return std::nullopt;
  return std::max<int64_t>(0, (*end - *start + *step - 1) / *step);
}

/// One label a mode, and an extent in the type is the label's.
LogicalResult TensorDeclOp::verify() {
  RankedTensorType tensor = tensorType(getTensor());
  if (failed(verifyLabelCount(*this, tensor, getLabels().size())))
    return failure();
  if (getArgument() && getReturned())
    return emitOpError("expected a tensor that the caller passes or one that it gets, found both");
  if (getOverwritten() && !getReturned())
    return emitOpError("expected `overwritten` only of a tensor that is `returned`");
  if (std::optional<StringRef> on = getOn(); on && *on != "rows" && *on != "replicated")
    return emitOpError("expected `on` to be \"rows\" or \"replicated\", found \"") << *on << "\"";
  for (auto [mode, label] : llvm::enumerate(getLabels())) {
    std::optional<int64_t> extent = extentOf(label);
    if (extent && !tensor.isDynamicDim(mode) && tensor.getDimSize(mode) != *extent)
      return emitOpError("expected the extent of its label, ") << *extent << ", in mode " << mode << ", found " << tensor.getDimSize(mode);
  }
  return success();
}

static LogicalResult verifyElement(Operation *op, StringRef what, Type expected, Type found) {
  if (expected != found)
    return op->emitOpError("expected ") << what << " of type " << expected << ", found " << found;
  return success();
}

LogicalResult LabeledTensorOp::verify() {
  RankedTensorType tensor = tensorType(getTensor());
  if (failed(verifyElement(*this, "a result with elements", tensor.getElementType(), labeledElement(getResult()))))
    return failure();
  return verifyLabelCount(*this, tensor, getLabels().size());
}

/// What the old value is scaled by: it stays, or goes.
static LogicalResult verifyBeta(Operation *op, FloatAttr beta) {
  double number = beta.getValueAsDouble();
  if (number == 0 || number == 1)
    return success();
  return op->emitOpError("expected a beta of 0 or 1, found ") << beta;
}

LogicalResult SetOp::verify() {
  RankedTensorType tensor = tensorType(getTensor());
  if (failed(verifyBeta(*this, getBetaAttr())))
    return failure();
  if (failed(verifyElement(*this, "an expression", tensor.getElementType(), labeledElement(getValue()))))
    return failure();
  return verifyLabelCount(*this, tensor, getLabels().size());
}

LogicalResult ScalarOp::verify() { return verifyElement(*this, "a value", labeledElement(getResult()), getValue().getType()); }

static LogicalResult verifyDense(Operation *op, RankedTensorType tensor) {
  FormatAttr format = getFormat(tensor);
  auto isDense = [](const Level &level) { return level.isFull(); };
  if (format && !llvm::all_of(format.getLevels(), isDense))
    return op->emitOpError("expected a dense tensor, found ") << tensor;
  return success();
}

LogicalResult FillOp::verify() {
  RankedTensorType tensor = tensorType(getTensor());
  if (failed(verifyDense(*this, tensor)))
    return failure();
  return verifyElement(*this, "a value", numberType(tensor.getElementType()), getValue().getType());
}

LogicalResult LiteralOp::verify() {
  RankedTensorType tensor = tensorType(getTensor());
  if (failed(verifyElement(*this, "values", numberType(tensor.getElementType()), getValues().getElementType())))
    return failure();
  int64_t numbers = llvm::isa<ComplexType>(tensor.getElementType()) ? 2 : 1;
  if (tensor.hasStaticShape() && tensor.getNumElements() * numbers != getValues().getNumElements())
    return emitOpError("expected ") << tensor.getNumElements() * numbers << " values, found " << getValues().getNumElements();
  return success();
}

/// What `triangle` is where all entries are read.
static constexpr int64_t wholeMatrix = 1;

LogicalResult ReadOp::verify() {
  if (!isSource(getSource()))
    return emitOpError() << expectedSource << getSource() << "\"";
  if (getTriangle() != wholeMatrix && tensorType(getTensor()).getRank() != 2)
    return emitOpError("expected a matrix where a triangle is selected, found ") << getTensor().getType();
  return success();
}

LogicalResult RandomOp::verify() {
  double density = getDensity().convertToDouble();
  if (!(density >= 0 && density <= 1))
    return emitOpError("expected a density from 0 to 1, found ") << getDensityAttr();
  return success();
}

LogicalResult ExtractOp::verify() {
  RankedTensorType tensor = tensorType(getTensor());
  if (tensor.getRank() != 0)
    return emitOpError("expected a tensor of rank 0, found ") << tensor;
  return verifyElement(*this, "a result", computedType(tensor.getElementType()), getResult().getType());
}

LogicalResult ConvertOp::verify() {
  int64_t rank = llvm::cast<RankedTensorType>(getSource().getType()).getRank();
  SmallVector<bool> seen(rank, false);
  for (int64_t mode : getPermutation())
    if (mode < 0 || mode >= rank || std::exchange(seen[mode], true))
      return emitOpError("expected a permutation of the source's ") << rank << " modes";
  if (int64_t(getPermutation().size()) != rank || llvm::cast<RankedTensorType>(getTarget().getType()).getRank() != rank)
    return emitOpError("expected a permutation of the source's ") << rank << " modes";
  if (std::optional<ArrayAttr> labels = getLabels(); labels && int64_t(labels->size()) != rank)
    return emitOpError("expected a label for each of the ") << rank << " modes, found " << labels->size();
  return success();
}

namespace {

template <typename PartOp>
LogicalResult verifyPart(PartOp op) {
  RankedTensorType whole = tensorType(op.getWhole()), part = tensorType(op.getPart());
  int64_t rank = whole.getRank();
  if (int64_t(op.getFrom().size()) != rank || int64_t(op.getSteps().size()) != rank)
    return op.emitOpError("expected a first coordinate and a step for each of the ") << rank << " modes, found " << op.getFrom().size() << " and "
                                                                                     << op.getSteps().size();
  int64_t kept = llvm::count_if(op.getSteps(), [](int64_t step) { return step != 0; });
  if (part.getRank() != kept || part.getElementType() != whole.getElementType())
    return op.emitOpError("expected a part with ") << kept << " modes and elements of type " << whole.getElementType();
  for (int64_t mode : op.getShifted())
    if (mode < 0 || mode >= rank || op.getSteps()[mode] != 1)
      return op.emitOpError("expected step 1 in the shifted mode ") << mode;
  if (llvm::any_of(op.getSteps(), [](int64_t step) { return step < 0; }))
    return op.emitOpError("expected steps of at least 0");
  return success();
}

} // namespace

LogicalResult TakePartOp::verify() { return verifyPart(*this); }

LogicalResult PutPartOp::verify() { return verifyPart(*this); }

LogicalResult ReorderOp::verify() {
  StringRef method = getMethod();
  if (!is_contained({"lexi", "rcm", "degree", "graph", "auto"}, method))
    return emitOpError("expected the method \"lexi\", \"rcm\", \"degree\", \"graph\" or \"auto\", found \"") << method << "\"";
  if (getIterations().has_value() != (method == "lexi"))
    return emitOpError("expected iterations with the method \"lexi\", and with no other");
  int64_t rank = tensorType(getTensor()).getRank();
  if (int64_t(getNumResults()) != rank)
    return emitOpError("expected a permutation for each of the ") << rank << " modes, found " << getNumResults();
  return success();
}

LogicalResult PermuteOp::verify() {
  int64_t rank = tensorType(getSource()).getRank(), least = 0;
  for (int64_t mode : getModes()) {
    if (mode < least || mode >= rank)
      return emitOpError("expected some of the ") << rank << " modes in ascending order";
    least = mode + 1;
  }
  if (getModes().size() != getPermutations().size())
    return emitOpError("expected a permutation for each of ") << getModes().size() << " modes, found " << getPermutations().size();
  return success();
}

namespace {

/// A row of the table in compiler/notation.
struct Operator {
  StringLiteral name;
  bool reduces;
};

constexpr Operator operators[] = {
#define COMET_OPERATOR(name, reduces) {StringLiteral(name), reduces},
#include "Operators.inc"
#undef COMET_OPERATOR
};

bool isOperator(StringRef name) {
  return llvm::any_of(operators, [&](const Operator &row) { return row.name == name; });
}

bool isFunction(StringRef name) {
  constexpr StringLiteral functions[] = {
#define COMET_FUNCTION(name) StringLiteral(name),
#include "Operators.inc"
#undef COMET_FUNCTION
  };
  return llvm::is_contained(functions, name);
}

bool reduces(StringRef name) {
  auto isRow = [&](const Operator &row) { return row.reduces && row.name == name; };
  return comet::ta::isOwnOperator(name) || llvm::any_of(operators, isRow);
}

} // namespace

LogicalResult ElementwiseOp::verify() {
  if (!isOperator(getOp()))
    return emitOpError("expected a combining operator, found \"") << getOp() << "\"";
  return success();
}

LogicalResult UniteOp::verify() {
  if (!isOperator(getOp()))
    return emitOpError("expected an operator, found \"") << getOp() << "\"";
  return success();
}

LogicalResult ApplyOp::verify() {
  if (!isFunction(getFunction()))
    return emitOpError("expected a function of one number, found \"") << getFunction() << "\"";
  return success();
}

LogicalResult ReduceOp::verify() {
  if (!reduces(getOp()))
    return emitOpError("expected a reducing operator, found \"") << getOp() << "\"";
  if (getLabels().empty())
    return emitOpError("expected at least one label");
  for (auto [number, label] : llvm::enumerate(getLabels()))
    if (llvm::is_contained(getLabels().take_front(number), label))
      return emitOpError("expected different labels, found label ") << number << " twice";
  return success();
}

/// One map for each operand, of its rank, that only picks dimensions.
static LogicalResult verifyMap(Operation *op, AffineMap map, Value operand, unsigned dims) {
  int64_t rank = tensorType(operand).getRank();
  if (map.getNumResults() != rank)
    return op->emitOpError("expected an indexing map with ") << rank << " results, found " << AffineMapAttr::get(map);
  if (map.getNumDims() != dims || map.getNumSymbols() != 0)
    return op->emitOpError("expected indexing maps over the same ") << dims << " dimensions, found " << AffineMapAttr::get(map);
  for (AffineExpr result : map.getResults())
    if (!llvm::isa<AffineDimExpr>(result))
      return op->emitOpError("expected plain dimensions in an indexing map, found ") << AffineMapAttr::get(map);
  return success();
}

LogicalResult TcOp::verify() {
  if (getInputs().empty())
    return emitOpError("expected at least one input");
  Type element = tensorType(getOutput()).getElementType();
  for (Value input : getInputs())
    if (failed(verifyElement(*this, "inputs with elements", element, tensorType(input).getElementType())))
      return failure();
  if (failed(verifyElement(*this, "an alpha", numberType(element), getAlpha().getType())) || failed(verifyBeta(*this, getBetaAttr())))
    return failure();
  if (llvm::is_contained(getInputs(), getOutput()))
    return emitOpError("expected an output that is none of the inputs, which are read while it is written");
  SmallVector<AffineMap> maps(getIndexingMaps().getAsValueRange<AffineMapAttr>());
  if (maps.size() != getInputs().size() + 1)
    return emitOpError("expected one indexing map for each of the ") << getInputs().size() + 1 << " tensors, found " << maps.size();
  unsigned dims = maps.front().getNumDims();
  for (auto [map, operand] : llvm::zip(maps, getOperands()))
    if (failed(verifyMap(*this, map, operand, dims)))
      return failure();
  for (unsigned dim = 0; dim < dims; ++dim)
    if (llvm::none_of(maps, [&](AffineMap map) { return map.isFunctionOfDim(dim); }))
      return emitOpError("expected every dimension in some indexing map, d") << dim << " is in none";
  if (std::optional<ArrayAttr> labels = getLabels(); labels && labels->size() != dims)
    return emitOpError("expected a label for each of the ") << dims << " dimensions, found " << labels->size();
  return success();
}

/// The label of each level, outermost first. Reports where a level stores no whole mode densely.
static FailureOr<SmallVector<unsigned>> labelsInStorage(GemmOp op, Value operand, AffineMap map) {
  FormatAttr format = getFormat(operand.getType());
  if (!format)
    return llvm::map_to_vector(llvm::seq(map.getNumResults()), [&](unsigned mode) { return map.getDimPosition(mode); });
  SmallVector<unsigned> labels;
  for (const Level &level : format.getLevels()) {
    if (!level.format().isFull || level.expr != LevelExpr::Mode)
      return op.emitOpError("expected dense tensors whose levels are whole modes, found ") << operand.getType();
    labels.push_back(map.getDimPosition(level.mode));
  }
  return labels;
}

/// Of labels in the order of storage, those that `first` and `second` have and `third` lacks, if each stands next to the one before it.
static FailureOr<SmallVector<unsigned>> dimensionOf(ArrayRef<unsigned> storage, AffineMap first, AffineMap second, AffineMap third) {
  SmallVector<unsigned> found;
  std::optional<size_t> last;
  for (auto [place, label] : llvm::enumerate(storage)) {
    if (!first.isFunctionOfDim(label) || !second.isFunctionOfDim(label) || third.isFunctionOfDim(label))
      continue;
    if (last && *last + 1 != place)
      return failure();
    last = place;
    found.push_back(label);
  }
  return found;
}

LogicalResult GemmOp::verify() {
  Type element = tensorType(getOutput()).getElementType();
  if (!element.isF32() && !element.isF64())
    return emitOpError("expected elements of type f32 or f64, found ") << element;
  for (Value input : {getLeft(), getRight()}) {
    if (failed(verifyElement(*this, "inputs with elements", element, tensorType(input).getElementType())))
      return failure();
    if (input == getOutput())
      return emitOpError("expected an output that is none of the inputs, which are read while it is written");
  }
  if (failed(verifyElement(*this, "an alpha", element, getAlpha().getType())) || failed(verifyBeta(*this, getBetaAttr())))
    return failure();
  SmallVector<AffineMap> maps(getIndexingMaps().getAsValueRange<AffineMapAttr>());
  if (maps.size() != 3)
    return emitOpError("expected one indexing map for each of the 3 tensors, found ") << maps.size();
  unsigned dims = maps.front().getNumDims();
  SmallVector<SmallVector<unsigned>> storage;
  for (auto [map, operand] : llvm::zip(maps, getOperands())) {
    if (failed(verifyMap(*this, map, operand, dims)))
      return failure();
    if (!map.isProjectedPermutation())
      return emitOpError("expected each dimension once in an indexing map, found ") << AffineMapAttr::get(map);
    FailureOr<SmallVector<unsigned>> labels = labelsInStorage(*this, operand, map);
    if (failed(labels))
      return failure();
    storage.push_back(*labels);
  }
  for (unsigned dim = 0; dim < dims; ++dim)
    if (llvm::count_if(maps, [&](AffineMap map) { return map.isFunctionOfDim(dim); }) < 2)
      return emitOpError("expected every dimension in two indexing maps or three, d") << dim << " is not";
  for (auto [first, second, third] : {std::tuple(0, 1, 2), std::tuple(0, 2, 1), std::tuple(1, 2, 0)}) {
    auto ofFirst = dimensionOf(storage[first], maps[first], maps[second], maps[third]);
    auto ofSecond = dimensionOf(storage[second], maps[first], maps[second], maps[third]);
    if (failed(ofFirst) || failed(ofSecond) || *ofFirst != *ofSecond)
      return emitOpError("expected the labels that only operands ") << first << " and " << second << " have next to each other in both, in the same order";
  }
  return success();
}

/// The level of that number; levels of a tensor without a format are dense. Reports where there is none.
static FailureOr<Level> levelOf(Operation *op, RankedTensorType tensor, int64_t number) {
  FormatAttr format = getFormat(tensor);
  int64_t count = format ? format.getLevels().size() : tensor.getRank();
  if (number < 0 || number >= count)
    return op->emitOpError("expected a level below ") << count << ", found " << number;
  return format ? format.getLevels()[number] : Level{.mode = number};
}

static LogicalResult verifyArray(Operation *op, Type found, Type element) {
  Type expected = MemRefType::get({ShapedType::kDynamic}, element);
  if (found != expected)
    return op->emitOpError("expected an array of type ") << expected << ", found " << found;
  return success();
}

/// The words of a bit vector have 64 bits whatever the index width is (runtime/README.md).
static LogicalResult verifyIndexArray(Operation *op, RankedTensorType tensor, Type found, bool isWords) {
  FormatAttr format = getFormat(tensor);
  unsigned width = isWords || !format ? 64 : format.getIndexWidth();
  return verifyArray(op, found, IntegerType::get(op->getContext(), width));
}

LogicalResult LevelSizeOp::verify() { return levelOf(*this, tensorType(getTensor()), getLevel()); }

LogicalResult PositionsOp::verify() {
  RankedTensorType tensor = tensorType(getTensor());
  FailureOr<Level> level = levelOf(*this, tensor, getLevel());
  if (failed(level))
    return failure();
  if (!level->format().hasPositions) {
    std::string expected = words([](const LevelFormat &format) { return format.hasPositions; }, " or ");
    return emitOpError("expected a level ") << expected << ", which have positions, found " << level->format().word;
  }
  return verifyIndexArray(*this, tensor, getPositions().getType(), false);
}

LogicalResult CoordinatesOp::verify() {
  RankedTensorType tensor = tensorType(getTensor());
  FailureOr<Level> level = levelOf(*this, tensor, getLevel());
  if (failed(level))
    return failure();
  if (!level->format().hasCoordinates)
    return emitOpError("expected a level other than ") << level->format().word << ", which has no coordinates";
  return verifyIndexArray(*this, tensor, getCoordinates().getType(), level->format().hasWords);
}

LogicalResult ValuesOp::verify() { return verifyArray(*this, getValues().getType(), storedType(tensorType(getTensor()).getElementType())); }

/// The numbers of the levels that coordinates are appended to, outermost first. Reports a format that cannot be appended to.
static FailureOr<SmallVector<int64_t>> appendedLevels(Operation *op, RankedTensorType tensor) {
  SmallVector<int64_t> found;
  FormatAttr format = getFormat(tensor);
  ArrayRef<Level> levels = format ? format.getLevels() : ArrayRef<Level>();
  for (auto [number, level] : llvm::enumerate(levels)) {
    bool opens = level.format().append == Append::Opens;
    // S follows a CN level at once, or another S that does.
    auto hasTuples = [](const Level &above) {
      return above.format().append == Append::Joins || (above.format().append == Append::Opens && !above.format().isCompressed);
    };
    bool joins = level.format().append == Append::Joins && number > 0 && hasTuples(levels[number - 1]);
    if (!opens && !joins && !level.isFull())
      return op->emitOpError("expected levels D, CU, and S right below CN, found ") << level.format().word << " as level " << number;
    if (opens)
      found.push_back(number);
  }
  if (found.empty())
    return op->emitOpError("expected a level CU or CN, found only dense ones");
  return found;
}

LogicalResult AppendBeginOp::verify() { return appendedLevels(*this, tensorType(getTensor())); }

/// Whether coordinates are appended to a level.
static LogicalResult isAppended(Operation *op, RankedTensorType tensor, int64_t level) {
  FailureOr<SmallVector<int64_t>> levels = appendedLevels(op, tensor);
  if (failed(levels))
    return failure();
  if (!llvm::is_contained(*levels, level))
    return op->emitOpError("expected the number of a level CU or CN, found ") << level;
  return success();
}

LogicalResult AppendGrowOp::verify() { return isAppended(*this, tensorType(getTensor()), getLevel()); }

LogicalResult AppendReserveOp::verify() { return isAppended(*this, tensorType(getTensor()), getLevel()); }

/// Whether there is a count for each level that coordinates are appended to.
static LogicalResult hasCounts(Operation *op, RankedTensorType tensor, size_t counts) {
  FailureOr<SmallVector<int64_t>> levels = appendedLevels(op, tensor);
  if (failed(levels))
    return failure();
  if (levels->size() != counts)
    return op->emitOpError("expected a count for each of the ") << levels->size() << " levels CU and CN, found " << counts;
  return success();
}

LogicalResult AppendEndOp::verify() { return hasCounts(*this, tensorType(getTensor()), getCounts().size()); }

LogicalResult SamePatternOp::verify() {
  if (failed(appendedLevels(*this, tensorType(getTensor()))))
    return failure();
  FormatAttr own = getFormat(tensorType(getTensor())), other = getFormat(tensorType(getStored()));
  size_t shared = getLevels();
  if (shared > own.getLevels().size() || shared > other.getLevels().size())
    return emitOpError("expected at most ") << std::min(own.getLevels().size(), other.getLevels().size()) << " levels, found " << getLevels();
  if (own.getIndexWidth() != other.getIndexWidth())
    return emitOpError("expected indices of ") << other.getIndexWidth() << " bits as those of the operand, found " << own.getIndexWidth();
  for (auto [number, level] : llvm::enumerate(own.getLevels())) {
    bool isFull = level.format().isFull;
    bool isSame = number < shared && level.kind == other.getLevels()[number].kind && (isFull || level.format().isCompressed);
    if (number < shared ? !isSame : !isFull)
      return emitOpError("expected the operand's levels D and CU, and D below, found ") << level.format().word << " as level " << number;
  }
  return success();
}

LogicalResult PartsBeginOp::verify() { return appendedLevels(*this, tensorType(getTensor())); }

LogicalResult PartClaimOp::verify() { return appendedLevels(*this, tensorType(getTensor())); }

LogicalResult PartOp::verify() { return appendedLevels(*this, tensorType(getTensor())); }

LogicalResult PartEndOp::verify() { return hasCounts(*this, tensorType(getTensor()), getCounts().size()); }

LogicalResult PartsEndOp::verify() { return appendedLevels(*this, tensorType(getTensor())); }

LogicalResult PointsBeginOp::verify() {
  if (getReduction() != "set" && !reduces(getReduction()))
    return emitOpError("expected a reduction, found \"") << getReduction() << "\"";
  if (getKind() != "list" && getKind() != "sequence" && getKind() != "hash")
    return emitOpError("expected a `list`, a `sequence` or a `hash` table of points, found \"") << getKind() << "\"";
  return success();
}

LogicalResult InsertOp::verify() {
  RankedTensorType tensor = tensorType(getTensor());
  if (static_cast<int64_t>(getCoordinates().size()) != tensor.getRank())
    return emitOpError("expected ") << tensor.getRank() << " coordinates, found " << getCoordinates().size();
  if (Type expected = computedType(tensor.getElementType()); getValue().getType() != expected)
    return emitOpError("expected a value of type ") << expected << ", found " << getValue().getType();
  return success();
}

LogicalResult MaskOp::verify() {
  if (!getMask().getDefiningOp<LabeledTensorOp>())
    return emitOpError("expected a tensor under labels as the mask");
  if (getComplement() && getPull())
    return emitOpError("expected `pull` without `complement`: the points that a mask lacks are not visited one by one");
  return success();
}

LogicalResult LaunchOp::verify() {
  if (int64_t(getNumber()) < 0)
    return emitOpError("expected the number of a piece, found ") << int64_t(getNumber());
  if (getArguments().empty() || !isa<RankedTensorType>(getArguments().front().getType()))
    return emitOpError("expected the tensor that is computed as the first argument");
  return success();
}
