//===- SamDialect.h - the sam dialect ----------------------------*- C++ -*-===//

#ifndef COMET_SAM_DIALECT_H
#define COMET_SAM_DIALECT_H

#include "Lines.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "SamDialect.h.inc"

#define GET_OP_CLASSES
#include "SamOps.h.inc"

#endif // COMET_SAM_DIALECT_H
