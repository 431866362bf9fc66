//===- Diagnostics.cpp - the diagnostics that MLIR's C API cannot emit ------------===//

#include "Comet.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"

void cometEmitRemark(MlirLocation location, MlirStringRef message) { mlir::emitRemark(unwrap(location)) << unwrap(message); }
