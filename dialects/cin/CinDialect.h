//===- CinDialect.h - the cin dialect ----------------------------*- C++ -*-===//

#ifndef COMET_CIN_DIALECT_H
#define COMET_CIN_DIALECT_H

#include "TaDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "CinDialect.h.inc"
#include "CinEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "CinTypes.h.inc"

#define GET_OP_CLASSES
#include "CinOps.h.inc"

#endif // COMET_CIN_DIALECT_H
