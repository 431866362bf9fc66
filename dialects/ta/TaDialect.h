//===- TaDialect.h - the ta dialect ------------------------------*- C++ -*-===//

#ifndef COMET_TA_DIALECT_H
#define COMET_TA_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace comet::ta {

/// The level formats: the rows of `LEVEL_FORMATS` in the crate `comet-format`. The numbers are those of the C API.
enum class LevelKind : int32_t {
#define COMET_LEVEL_FORMAT(name, ...) name,
#include "LevelFormats.inc"
#undef COMET_LEVEL_FORMAT
};

/// Whether coordinates are appended: not at all, by themselves, or together with those of the level above.
enum class Append { None, Opens, Joins };

/// What the verifiers ask of a level format.
struct LevelFormat {
  llvm::StringLiteral word;
  Append append;
  /// Every parent has a position for each coordinate.
  bool isFull;
  /// Every parent has one position.
  bool isBranchless;
  bool hasPositions;
  /// It has an array beside pos.
  bool hasCoordinates;
  /// That array holds words of bits.
  bool hasWords;
  /// A fiber is a sorted segment of crd that holds each coordinate once.
  bool isCompressed;
};

/// The level formats, by their numbers.
inline constexpr LevelFormat levelFormats[] = {
#define COMET_LEVEL_FORMAT(name, word, append, ...) {llvm::StringLiteral(word), Append::append, __VA_ARGS__},
#include "LevelFormats.inc"
#undef COMET_LEVEL_FORMAT
};

/// What a level's coordinate is. The numbers are those of the C API.
enum class LevelExpr : int32_t { Mode = 0, Div = 1, Mod = 2, Slot = 3 };

/// The memory region of stardust.txt section 5. The numbers are those of the C API.
enum class Memory : int32_t { Unspecified = 0, OnChip = 1, OffChip = 2 };

/// One storage level.
struct Level {
  LevelKind kind = LevelKind::Dense;
  /// Bits in a word of a bit vector, 0 otherwise.
  int32_t wordBits = 0;
  LevelExpr expr = LevelExpr::Mode;
  /// The mode that is stored; 0 for a slot.
  int64_t mode = 0;
  /// The divisor of Div and Mod, 0 otherwise.
  int64_t factor = 0;

  bool operator==(const Level &other) const = default;

  const LevelFormat &format() const { return levelFormats[int32_t(kind)]; }

  /// Whether every parent has a position for each coordinate of a mode, or of a part of one.
  bool isFull() const { return format().isFull && expr != LevelExpr::Slot; }
};

inline llvm::hash_code hash_value(const Level &level) {
  return llvm::hash_combine(int32_t(level.kind), level.wordBits, int32_t(level.expr), level.mode, level.factor);
}

} // namespace comet::ta

#include "TaDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "TaAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "TaTypes.h.inc"

#define GET_OP_CLASSES
#include "TaOps.h.inc"

namespace comet::ta {

/// The format of a tensor type; null where it has none, which means all levels dense.
FormatAttr getFormat(mlir::Type type);

/// Whether the name of an operator is the text of an operator of the file; compiler/notation reads it.
inline bool isOwnOperator(llvm::StringRef name) {
  return name.starts_with("def ") && name.contains(" : ") && name.contains("-> ");
}

} // namespace comet::ta

#endif // COMET_TA_DIALECT_H
