//===- TaDialect.cpp - the ta dialect: attributes, types, verifiers ----------===//

#include "TaDialect.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
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
  switch (level.kind) {
  case LevelKind::Dense:
    printer << "D";
    return;
  case LevelKind::CompressedUnique:
    printer << "CU";
    return;
  case LevelKind::CompressedNonUnique:
    printer << "CN";
    return;
  case LevelKind::Singleton:
    printer << "S";
    return;
  case LevelKind::BitVector:
    printer << "BV<" << level.wordBits << ">";
    return;
  }
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
  if (word == "BV") {
    level.kind = LevelKind::BitVector;
    return failure(parser.parseLess() || parser.parseInteger(level.wordBits) || parser.parseGreater());
  }
  std::optional<LevelKind> kind = llvm::StringSwitch<std::optional<LevelKind>>(word)
                                      .Case("D", LevelKind::Dense)
                                      .Case("CU", LevelKind::CompressedUnique)
                                      .Case("CN", LevelKind::CompressedNonUnique)
                                      .Case("S", LevelKind::Singleton)
                                      .Default(std::nullopt);
  if (!kind)
    return parser.emitError(parser.getCurrentLocation()) << "expected a level format (D, CU, CN, S, BV<b>), found `" << word << "`";
  level.kind = *kind;
  return success();
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
  int64_t whole = 0, quotient = 0, remainder = 0;
  for (const Level &level : levels) {
    if (level.mode != mode || level.expr == LevelExpr::Slot)
      continue;
    if (level.expr == LevelExpr::Mode)
      ++whole;
    else if (level.expr == LevelExpr::Div)
      quotient += quotient ? -1 : level.factor;
    else
      remainder += remainder ? -1 : level.factor;
  }
  bool isSplit = whole == 0 && quotient > 0 && quotient == remainder;
  bool isWhole = whole == 1 && quotient == 0 && remainder == 0;
  if (isSplit || isWhole)
    return success();
  return emitError() << "mode d" << mode << " must be stored once: whole, or as a quotient and a remainder by the same number";
}

LogicalResult FormatAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<Level> levels, unsigned indexWidth, Memory) {
  if (indexWidth != 32 && indexWidth != 64)
    return emitError() << "expected an index width of 32 or 64 bits, found " << indexWidth;
  if (levels.empty())
    return emitError() << "expected at least one level";
  if (levels.front().kind == LevelKind::Singleton)
    return emitError() << "the first level cannot be S: it has no parent positions";
  int64_t rank = 0;
  for (const Level &level : levels) {
    if (level.kind == LevelKind::BitVector && level.wordBits != 8 && level.wordBits != 16 && level.wordBits != 32 && level.wordBits != 64)
      return emitError() << "expected a bit vector of 8, 16, 32 or 64 bits a word, found " << level.wordBits;
    if (level.expr != LevelExpr::Slot)
      rank = std::max(rank, level.mode + 1);
  }
  for (int64_t mode = 0; mode < rank; ++mode)
    if (failed(verifyMode(emitError, levels, mode)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

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

/// One label a mode, and a format that covers the modes.
static LogicalResult verifyLabels(Operation *op, Type type, size_t labels) {
  auto tensor = llvm::cast<RankedTensorType>(type);
  if (size_t(tensor.getRank()) != labels)
    return op->emitOpError("expected one label for each of the ") << tensor.getRank() << " modes, found " << labels;
  FormatAttr format = getFormat(type);
  if (format && format.getRank() != tensor.getRank())
    return op->emitOpError("expected a format of rank ") << tensor.getRank() << ", found one of rank " << format.getRank();
  return success();
}

LogicalResult TensorDeclOp::verify() { return verifyLabels(*this, getTensor().getType(), getLabels().size()); }

LogicalResult LabeledTensorOp::verify() {
  if (llvm::cast<RankedTensorType>(getTensor().getType()).getElementType() != getResult().getType().getElementType())
    return emitOpError("expected the tensor's element type in the result");
  return verifyLabels(*this, getTensor().getType(), getLabels().size());
}

LogicalResult SetOp::verify() {
  if (llvm::cast<RankedTensorType>(getTensor().getType()).getElementType() != getValue().getType().getElementType())
    return emitOpError("expected an expression of the tensor's element type");
  return verifyLabels(*this, getTensor().getType(), getLabels().size());
}

LogicalResult FillOp::verify() {
  auto tensor = llvm::cast<RankedTensorType>(getTensor().getType());
  FormatAttr format = getFormat(tensor);
  auto isDense = [](const Level &level) { return level.kind == LevelKind::Dense && level.expr != LevelExpr::Slot; };
  if (format && !llvm::all_of(format.getLevels(), isDense))
    return emitOpError("expected a dense tensor, found ") << tensor;
  if (getValue().getType() != tensor.getElementType())
    return emitOpError("expected a value of type ") << tensor.getElementType() << ", found " << getValue().getType();
  return success();
}

LogicalResult ConvertOp::verify() {
  int64_t rank = llvm::cast<RankedTensorType>(getSource().getType()).getRank();
  SmallVector<bool> seen(rank, false);
  for (int64_t mode : getPermutation())
    if (mode < 0 || mode >= rank || std::exchange(seen[mode], true))
      return emitOpError("expected a permutation of the source's ") << rank << " modes";
  if (int64_t(getPermutation().size()) != rank || llvm::cast<RankedTensorType>(getTarget().getType()).getRank() != rank)
    return emitOpError("expected a permutation of the source's ") << rank << " modes";
  return success();
}

bool ElementwiseOp::isOperator(StringRef op) {
  return llvm::StringSwitch<bool>(op)
      .Cases({"mul", "div", "add", "sub", "min", "max", "first", "second", "pair", "or", "and", "any"}, true)
      .Default(false);
}

LogicalResult ElementwiseOp::verify() {
  if (!isOperator(getOp()))
    return emitOpError("expected a combining operator, found \"") << getOp() << "\"";
  return success();
}

bool ReduceOp::isOperator(StringRef op) {
  return llvm::StringSwitch<bool>(op).Cases({"add", "mul", "min", "max", "any", "or", "and"}, true).Default(false);
}

LogicalResult ReduceOp::verify() {
  if (!isOperator(getOp()))
    return emitOpError("expected a reducing operator, found \"") << getOp() << "\"";
  return success();
}

LogicalResult TcOp::verify() {
  SmallVector<AffineMap> maps(getIndexingMaps().getAsValueRange<AffineMapAttr>());
  if (maps.size() != getInputs().size() + 1)
    return emitOpError("expected one indexing map for each input and one for the output, found ") << maps.size();
  for (auto [map, operand] : llvm::zip(maps, getOperands())) {
    int64_t rank = llvm::cast<RankedTensorType>(operand.getType()).getRank();
    if (map.getNumResults() != rank)
      return emitOpError("expected an indexing map with ") << rank << " results, found " << AffineMapAttr::get(map);
    if (map.getNumDims() != maps.front().getNumDims() || map.getNumSymbols() != 0)
      return emitOpError("expected indexing maps over the same dimensions");
    for (AffineExpr result : map.getResults())
      if (!llvm::isa<AffineDimExpr>(result))
        return emitOpError("expected plain dimensions in indexing map ") << AffineMapAttr::get(map);
  }
  return success();
}

static LogicalResult verifyLevel(Operation *op, Type type, int64_t level) {
  FormatAttr format = getFormat(type);
  int64_t count = format ? format.getLevels().size() : llvm::cast<RankedTensorType>(type).getRank();
  if (level < 0 || level >= count)
    return op->emitOpError("expected a level below ") << count << ", found " << level;
  return success();
}

LogicalResult LevelSizeOp::verify() { return verifyLevel(*this, getTensor().getType(), getLevel()); }
LogicalResult PositionsOp::verify() { return verifyLevel(*this, getTensor().getType(), getLevel()); }
LogicalResult CoordinatesOp::verify() { return verifyLevel(*this, getTensor().getType(), getLevel()); }
