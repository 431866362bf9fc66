//===- Lines.h - operations that hold a text -----------------------*- C++ -*-===//

#ifndef COMET_TA_LINES_H
#define COMET_TA_LINES_H

#include "TaDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringExtras.h"

namespace comet {

/// Parses a text as a string for each of its lines: `custom<Lines>($text)`.
inline mlir::ParseResult parseLines(mlir::OpAsmParser &parser, mlir::StringAttr &text) {
  std::string lines;
  if (parser.parseLBrace())
    return mlir::failure();
  while (mlir::failed(parser.parseOptionalRBrace())) {
    std::string line;
    if (parser.parseString(&line))
      return mlir::failure();
    lines += line + "\n";
  }
  text = parser.getBuilder().getStringAttr(lines);
  return mlir::success();
}

inline void printLines(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::StringAttr text) {
  printer << "{";
  printer.increaseIndent();
  for (llvm::StringRef line : llvm::split(text.getValue().rtrim('\n'), '\n')) {
    printer.printNewline();
    printer.printString(line);
  }
  printer.decreaseIndent();
  printer.printNewline();
  printer << "}";
}

/// Verifies the values that a text has names for: the tensor that is computed comes first, and tensors have `levels`, each of which is supported.
inline mlir::LogicalResult verifyNamedValues(mlir::Operation *op, mlir::ArrayAttr names, mlir::StringRef levels,
                                             llvm::function_ref<bool(const ta::Level &)> isSupported) {
  if (names.size() != op->getNumOperands())
    return op->emitOpError("expected a name for each of ") << op->getNumOperands() << " values, found " << names.size();
  if (names.empty() || !llvm::isa<mlir::RankedTensorType>(op->getOperand(0).getType()))
    return op->emitOpError("expected the tensor that is computed as the first value");
  for (mlir::Type type : op->getOperandTypes()) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    ta::FormatAttr format = tensor ? ta::getFormat(tensor) : ta::FormatAttr();
    if (format && !llvm::all_of(format.getLevels(), isSupported))
      return op->emitOpError("expected a tensor whose levels are ") << levels << ", each of a mode or of tiles of one, found " << tensor;
  }
  return mlir::success();
}

} // namespace comet

#endif // COMET_TA_LINES_H
