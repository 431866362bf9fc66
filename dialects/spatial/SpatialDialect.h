//===- SpatialDialect.h - the spatial dialect --------------------*- C++ -*-===//

#ifndef COMET_SPATIAL_DIALECT_H
#define COMET_SPATIAL_DIALECT_H

#include "Lines.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "SpatialDialect.h.inc"

#define GET_OP_CLASSES
#include "SpatialOps.h.inc"

#endif // COMET_SPATIAL_DIALECT_H
