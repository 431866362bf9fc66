//===- SamDialect.h - the sam dialect ----------------------------*- C++ -*-===//

#ifndef COMET_SAM_DIALECT_H
#define COMET_SAM_DIALECT_H

#include "TaDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace comet::sam {

/// How a level is stored. The numbers are those of the C API.
enum class LevelKind : int32_t { Dense = 0, Compressed = 1, BitVector = 2 };

/// One storage level.
struct Level {
  LevelKind kind = LevelKind::Dense;
  /// Bits in a word of a bit vector, 0 otherwise.
  int32_t wordBits = 0;
  /// The mode that is stored.
  int64_t mode = 0;

  bool operator==(const Level &other) const = default;
};

inline llvm::hash_code hash_value(const Level &level) { return llvm::hash_combine(int32_t(level.kind), level.wordBits, level.mode); }

} // namespace comet::sam

#include "SamDialect.h.inc"
#include "SamEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "SamTypes.h.inc"

#define GET_OP_CLASSES
#include "SamOps.h.inc"

namespace comet::sam {

/// The depth of a stream: how many fibers are inside of each other.
unsigned getDepth(mlir::Type stream);

} // namespace comet::sam

#endif // COMET_SAM_DIALECT_H
