//===- SpatialDialect.cpp - the spatial dialect: applications as lines of text ----===//

#include "SpatialDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace comet::spatial;

/// A text, as a string for each of its lines.
static ParseResult parseLines(OpAsmParser &parser, StringAttr &text) {
  std::string lines;
  if (parser.parseLBrace())
    return failure();
  while (failed(parser.parseOptionalRBrace())) {
    std::string line;
    if (parser.parseString(&line))
      return failure();
    lines += line + "\n";
  }
  text = parser.getBuilder().getStringAttr(lines);
  return success();
}

static void printLines(OpAsmPrinter &printer, Operation *, StringAttr text) {
  printer << "{";
  printer.increaseIndent();
  for (StringRef line : llvm::split(text.getValue().rtrim('\n'), '\n')) {
    printer.printNewline();
    printer.printString(line);
  }
  printer.decreaseIndent();
  printer.printNewline();
  printer << "}";
}

#include "SpatialDialect.cpp.inc"

#define GET_OP_CLASSES
#include "SpatialOps.cpp.inc"

void SpatialDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "SpatialOps.cpp.inc"
      >();
}

static bool isStored(const comet::ta::Level &level) {
  using comet::ta::LevelKind;
  return level.expr != comet::ta::LevelExpr::Slot && (level.kind == LevelKind::Dense || level.kind == LevelKind::CompressedUnique);
}

LogicalResult AppOp::verify() {
  if (getNames().size() != getValues().size())
    return emitOpError("expected a name for each of ") << getValues().size() << " values, found " << getNames().size();
  if (getValues().empty() || !llvm::isa<RankedTensorType>(getValues().front().getType()))
    return emitOpError("expected the tensor that is computed as the first value");
  for (Type type : getValues().getTypes()) {
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    comet::ta::FormatAttr format = tensor ? comet::ta::getFormat(tensor) : comet::ta::FormatAttr();
    if (format && !llvm::all_of(format.getLevels(), isStored))
      return emitOpError("expected a tensor whose levels are D or CU, each of a mode or of tiles of one, found ") << tensor;
  }
  return success();
}
