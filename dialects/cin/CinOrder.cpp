//===- CinOrder.cpp - the topological orders of tensors and statements -------===//
//
// Both are derived: that of a tensor from its format, that of a statement from the loops around it. A text
// may say them nevertheless, and is held to it.
//
//===----------------------------------------------------------------------===//

#include "CinDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace comet::cin;
using comet::ta::Level;
using comet::ta::LevelExpr;

/// The levels of a tensor that store a part of a mode, outermost first: all but slots.
static SmallVector<Level> storedLevels(Type tensor) {
  SmallVector<Level> levels;
  if (comet::ta::FormatAttr format = comet::ta::getFormat(tensor)) {
    llvm::copy_if(format.getLevels(), std::back_inserter(levels), [](const Level &level) { return level.expr != LevelExpr::Slot; });
    return levels;
  }
  for (int64_t mode = 0; mode < llvm::cast<RankedTensorType>(tensor).getRank(); ++mode) {
    levels.emplace_back();
    levels.back().mode = mode;
  }
  return levels;
}

/// Whether the levels are the modes, one after the other: then there is nothing to say.
static bool isIdentity(ArrayRef<Level> levels) {
  return llvm::all_of(llvm::enumerate(levels), [](auto entry) {
    return entry.value().expr == LevelExpr::Mode && entry.value().mode == int64_t(entry.index());
  });
}

static std::string nameOf(const Level &level, StringRef var) {
  if (level.expr == LevelExpr::Mode)
    return var.str();
  return (var + (level.expr == LevelExpr::Div ? " floordiv " : " mod ") + Twine(level.factor)).str();
}

static std::string inBrackets(ArrayRef<std::string> names) { return "[" + llvm::join(names, ", ") + "]"; }

//===----------------------------------------------------------------------===//
// The assembly of cin.access and cin.assign
//===----------------------------------------------------------------------===//

namespace {
/// A tensor at a point, as it is read: `%A[%i, %j] order [%j, %i]`.
struct Point {
  OpAsmParser::UnresolvedOperand tensor;
  SmallVector<OpAsmParser::UnresolvedOperand> indices;
  SMLoc orderPlace;
  std::optional<SmallVector<std::string>> order;
};
} // namespace

static std::string textOf(const OpAsmParser::UnresolvedOperand &operand) {
  return operand.number == 0 ? operand.name.str() : (operand.name + "#" + Twine(operand.number)).str();
}

/// An index variable, or the part of one that a level stores.
static ParseResult parseOrderEntry(OpAsmParser &parser, SmallVector<std::string> &order) {
  OpAsmParser::UnresolvedOperand var;
  Level level;
  if (parser.parseOperand(var))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("floordiv")))
    level.expr = LevelExpr::Div;
  else if (succeeded(parser.parseOptionalKeyword("mod")))
    level.expr = LevelExpr::Mod;
  if (level.expr != LevelExpr::Mode && parser.parseInteger(level.factor))
    return failure();
  order.push_back(nameOf(level, textOf(var)));
  return success();
}

static ParseResult parsePoint(OpAsmParser &parser, Point &point) {
  if (parser.parseOperand(point.tensor) || parser.parseOperandList(point.indices, OpAsmParser::Delimiter::Square))
    return failure();
  if (failed(parser.parseOptionalKeyword("order")))
    return success();
  point.orderPlace = parser.getCurrentLocation();
  point.order.emplace();
  auto parseOne = [&] { return parseOrderEntry(parser, *point.order); };
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseOne);
}

/// What a text says about the order is what follows from the type.
static ParseResult checkOrder(OpAsmParser &parser, const Point &point, Type type) {
  if (!point.order)
    return success();
  SmallVector<std::string> expected;
  for (const Level &level : storedLevels(type))
    if (level.mode < int64_t(point.indices.size()))
      expected.push_back(nameOf(level, textOf(point.indices[level.mode])));
  if (*point.order == expected)
    return success();
  return parser.emitError(point.orderPlace) << "expected the order " << inBrackets(expected) << " of the tensor's levels, found " << inBrackets(*point.order);
}

static ParseResult resolvePoint(OpAsmParser &parser, const Point &point, RankedTensorType type, OperationState &result) {
  Type index = comet::cin::IndexType::get(parser.getContext());
  return failure(checkOrder(parser, point, type) || parser.resolveOperand(point.tensor, type, result.operands) ||
                 parser.resolveOperands(point.indices, index, result.operands));
}

static void printPoint(OpAsmPrinter &printer, Value tensor, OperandRange indices) {
  printer << tensor << "[" << indices << "]";
  SmallVector<Level> levels = storedLevels(tensor.getType());
  if (isIdentity(levels))
    return;
  printer << " order [";
  llvm::interleaveComma(levels, printer, [&](const Level &level) {
    printer << indices[level.mode] << nameOf(level, "");
  });
  printer << "]";
}

ParseResult AccessOp::parse(OpAsmParser &parser, OperationState &result) {
  Point point;
  RankedTensorType tensor;
  Type value;
  if (parsePoint(parser, point) || parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(tensor) ||
      parser.parseArrow() || parser.parseType(value))
    return failure();
  result.addTypes(value);
  return resolvePoint(parser, point, tensor, result);
}

void AccessOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printPoint(printer, getTensor(), getIndices());
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getTensor().getType() << " -> " << getValue().getType();
}

static ParseResult parseNames(OpAsmParser &parser, ArrayAttr &names) {
  SmallVector<Attribute> parsed;
  auto parseOne = [&]() -> ParseResult {
    std::string name;
    if (parser.parseKeywordOrString(&name))
      return failure();
    parsed.push_back(parser.getBuilder().getStringAttr(name));
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseOne))
    return failure();
  names = parser.getBuilder().getArrayAttr(parsed);
  return success();
}

static void printNames(OpAsmPrinter &printer, ArrayAttr names) {
  printer << "[";
  llvm::interleaveComma(names.getAsRange<StringAttr>(), printer, [&](StringAttr name) { printer.printKeywordOrString(name); });
  printer << "]";
}

/// `concordant`, `discordant header [i, j] -> [j, i]`, or nothing.
static ParseResult parseClaim(OpAsmParser &parser, AssignOp::Properties &properties) {
  if (succeeded(parser.parseOptionalKeyword("concordant"))) {
    properties.claim = ClaimAttr::get(parser.getContext(), Claim::Concordant);
    return success();
  }
  if (failed(parser.parseOptionalKeyword("discordant")))
    return success();
  properties.claim = ClaimAttr::get(parser.getContext(), Claim::Discordant);
  return failure(parser.parseKeyword("header") || parseNames(parser, properties.header_from) || parser.parseArrow() ||
                 parseNames(parser, properties.header_to));
}

ParseResult AssignOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand value;
  Point point;
  Type valueType;
  RankedTensorType tensor;
  auto &properties = result.getOrAddProperties<AssignOp::Properties>();
  if (parser.parseOperand(value) || parser.parseKeyword("to") || parsePoint(parser, point))
    return failure();
  std::string reduction;
  if (failed(parser.parseOptionalString(&reduction))) {
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    reduction = word.str();
  }
  properties.reduction = StringAttr::get(parser.getContext(), reduction);
  if (succeeded(parser.parseOptionalKeyword("in_place")))
    properties.in_place = UnitAttr::get(parser.getContext());
  if (parseClaim(parser, properties) || parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(valueType) ||
      parser.parseComma() || parser.parseType(tensor) || parser.resolveOperand(value, valueType, result.operands))
    return failure();
  return resolvePoint(parser, point, tensor, result);
}

void AssignOp::print(OpAsmPrinter &printer) {
  printer << " " << getValue() << " to ";
  printPoint(printer, getTensor(), getIndices());
  printer << " ";
  if (symbolizeReduction(getReduction()))
    printer << getReduction();
  else
    printer.printString(getReduction());
  if (getInPlace())
    printer << " in_place";
  if (getClaim())
    printer << " " << stringifyClaim(*getClaim());
  if (getHeaderFrom() && getHeaderTo()) {
    printer << " header ";
    printNames(printer, *getHeaderFrom());
    printer << " -> ";
    printNames(printer, *getHeaderTo());
  }
  SmallVector<StringRef> printed = {getReductionAttrName(), getInPlaceAttrName(), getClaimAttrName(), getHeaderFromAttrName(), getHeaderToAttrName()};
  printer.printOptionalAttrDict((*this)->getAttrs(), printed);
  printer << " : " << getValue().getType() << ", " << getTensor().getType();
}

//===----------------------------------------------------------------------===//
// The order in which loops bring points
//===----------------------------------------------------------------------===//

namespace {
/// The numbers of loops, outermost first, that a value is counted by; of pairs, which part of what they count.
struct Digit {
  SmallVector<int64_t> loops, part;

  bool operator==(const Digit &other) const = default;
};

/// What a value is made of, the most significant first.
using Digits = SmallVector<Digit>;

/// What counts one half of what the digits count: of a pair, or of a quotient and its remainder.
std::optional<Digits> halfOf(std::optional<Digits> whole, int64_t half) {
  if (!whole)
    return std::nullopt;
  Digit digit;
  for (const Digit &part : *whole)
    digit.loops.append(part.loops);
  if (whole->size() == 1)
    digit.part = whole->front().part;
  digit.part.push_back(half);
  return Digits{digit};
}

/// The loops around a statement.
class Nest {
public:
  explicit Nest(Operation *statement) {
    for (auto loop = statement->getParentOfType<ForallOp>(); loop; loop = loop->getParentOfType<ForallOp>())
      vars.insert(vars.begin(), loop.getVar());
  }

  /// The digits of an index variable; none where the loops do not fix it.
  std::optional<Digits> digitsOf(Value var) const {
    if (auto loop = llvm::find(vars, var); loop != vars.end())
      return Digits{{{loop - vars.begin()}, {}}};
    for (Operation *relation : var.getUsers())
      if (std::optional<Digits> digits = digitsThrough(relation, var))
        return digits;
    return std::nullopt;
  }

  Value var(int64_t loop) const { return vars[loop]; }

private:
  std::optional<Digits> digitsThrough(Operation *relation, Value var) const {
    if (auto position = llvm::dyn_cast<PosOp>(relation))
      return position.getVar() == var ? digitsOf(position.getPosition()) : std::nullopt;
    if (auto bound = llvm::dyn_cast<BoundOp>(relation))
      return digitsOf(bound.getBounded());
    if (auto pair = llvm::dyn_cast<FuseOp>(relation))
      return halfOf(digitsOf(pair.getFused()), pair.getOuter() == var ? 0 : 1);
    if (!llvm::isa<SplitOp, DivideOp>(relation))
      return std::nullopt;
    std::optional<Digits> outer = digitsOf(relation->getResult(0)), inner = digitsOf(relation->getResult(1));
    if (!outer || !inner)
      return std::nullopt;
    outer->append(*inner);
    return outer;
  }

  SmallVector<Value> vars;
};
} // namespace

/// The half of a split of `var`, or of the same with a known range, that a level stores.
static Value splitHalf(Value var, const Level &level) {
  for (Operation *relation : var.getUsers()) {
    if (auto bound = llvm::dyn_cast<BoundOp>(relation))
      if (Value half = splitHalf(bound.getBounded(), level))
        return half;
    auto split = llvm::dyn_cast<SplitOp>(relation);
    if (split && int64_t(split.getFactor()) == level.factor)
      return level.expr == LevelExpr::Div ? split.getOuter() : split.getInner();
  }
  return {};
}

static Value storedHalf(Value var, const Level &level) {
  auto bound = var.getDefiningOp<BoundOp>();
  return bound ? storedHalf(bound.getVar(), level) : splitHalf(var, level);
}

static std::string nameOf(Value var) {
  Operation *declaration = var.getDefiningOp();
  bool isInner = declaration && declaration->getNumResults() == 2 && declaration->getResult(1) == var;
  if (!declaration)
    return "?";
  StringRef own = isInner ? "inner_name" : declaration->getNumResults() == 2 ? "outer_name" : "name";
  auto name = declaration->getAttrOfType<StringAttr>(own);
  return name ? name.str() : "?";
}

/// Whether what `second` counts changes more often than what `first` counts.
static bool comesBefore(const Digit &first, const Digit &second) {
  if (first.loops == second.loops)
    return first.part < second.part;
  return first.loops.back() < second.loops.front();
}

/// Whether the digits count upwards, the first one slowest.
static bool areInOrder(ArrayRef<Digit> digits) {
  auto isInOrder = [](const Digit &digit) { return llvm::is_sorted(digit.loops); };
  auto follows = [&](size_t number) { return comesBefore(digits[number - 1], digits[number]); };
  return llvm::all_of(digits, isInOrder) && llvm::all_of(llvm::seq<size_t>(1, std::max<size_t>(digits.size(), 1)), follows);
}

/// The names of the loops that the digits are counted by, outermost first.
static SmallVector<std::string> loopNames(const Nest &nest, ArrayRef<Digit> digits) {
  SmallVector<int64_t> loops;
  for (const Digit &digit : digits)
    loops.append(digit.loops);
  llvm::sort(loops);
  loops.erase(llvm::unique(loops), loops.end());
  return llvm::map_to_vector(loops, [&](int64_t loop) { return nameOf(nest.var(loop)); });
}

namespace {
/// The order in which the loops around an assignment bring points, and that in which its target stores them
/// (sparse-workspace.txt section 2).
struct Header {
  SmallVector<std::string> from, to;
  bool isConcordant = false;
};
} // namespace

/// A level's coordinate: its name, and what counts it.
static std::pair<std::string, Digits> coordinateOf(const Nest &nest, const Level &level, Value var) {
  Value half = level.expr == LevelExpr::Mode ? Value() : storedHalf(var, level);
  std::string name = half ? nameOf(half) : nameOf(level, nameOf(var));
  if (std::optional<Digits> own = half ? nest.digitsOf(half) : std::nullopt)
    return {name, *own};
  std::optional<Digits> whole = nest.digitsOf(var);
  if (level.expr != LevelExpr::Mode)
    whole = halfOf(whole, level.expr == LevelExpr::Div ? 0 : 1);
  return {name, whole.value_or(Digits())};
}

static Header headerOf(AssignOp assign) {
  Nest nest(assign);
  Header header;
  Digits all;
  for (const Level &level : storedLevels(assign.getTensor().getType())) {
    auto [name, digits] = coordinateOf(nest, level, assign.getIndices()[level.mode]);
    header.to.push_back(name);
    for (const Digit &digit : digits)
      if (!llvm::is_contained(all, digit))
        all.push_back(digit);
  }
  header.isConcordant = areInOrder(all);
  header.from = loopNames(nest, all);
  return header;
}

std::pair<ArrayAttr, bool> AssignOp::deriveOrders() {
  Header header = headerOf(*this);
  Builder builder(getContext());
  auto names = [&](ArrayRef<std::string> list) -> Attribute { return builder.getStrArrayAttr(llvm::to_vector_of<StringRef>(list)); };
  return {builder.getArrayAttr({names(header.from), names(header.to)}), header.isConcordant};
}

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

static SmallVector<std::string> namesIn(ArrayAttr names) {
  return llvm::map_to_vector(names.getAsRange<StringAttr>(), [](StringAttr name) { return name.str(); });
}

LogicalResult AssignOp::verifyClaim() {
  if (!getClaim())
    return success();
  Header header = headerOf(*this);
  std::string from = inBrackets(header.from), to = inBrackets(header.to);
  if (*getClaim() == Claim::Concordant && !header.isConcordant)
    return emitOpError("claims to be concordant, but the loops bring points in the order ") << from << ", and its target stores them in the order " << to;
  if (*getClaim() == Claim::Discordant && header.isConcordant)
    return emitOpError("claims to be discordant, but the loops bring points in the order ") << from << ", as its target stores them, in the order " << to;
  if (*getClaim() == Claim::Concordant)
    return success();
  SmallVector<std::string> claimedFrom = namesIn(*getHeaderFrom()), claimedTo = namesIn(*getHeaderTo());
  if (claimedFrom == header.from && claimedTo == header.to)
    return success();
  return emitOpError("expected the header ") << from << " -> " << to << ", found " << inBrackets(claimedFrom) << " -> " << inBrackets(claimedTo);
}
