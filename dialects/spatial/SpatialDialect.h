//===- SpatialDialect.h - the spatial dialect --------------------*- C++ -*-===//

#ifndef COMET_SPATIAL_DIALECT_H
#define COMET_SPATIAL_DIALECT_H

#include "TaDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace comet::spatial {

/// Whether a text can be a name of Scala.
bool isName(llvm::StringRef text);

/// Whether a text says in which order a sparse SRAM is modified.
bool isOrder(llvm::StringRef text);

/// Whether memories have elements of that type.
bool isElement(mlir::Type type);

/// The type of a memory's elements; null for a type that is none of a memory.
mlir::Type getElement(mlir::Type memory);

/// Calls the values of an iteration, the arguments of a pattern's body, what the text calls them.
void nameBinders(mlir::ArrayAttr binders, mlir::Region &body, mlir::OpAsmSetValueNameFn setName);

/// What the host does.
template <typename Concrete>
class OfHost : public mlir::OpTrait::TraitBase<Concrete, OfHost> {};

/// What the accelerator does.
template <typename Concrete>
class OfAccelerator : public mlir::OpTrait::TraitBase<Concrete, OfAccelerator> {};

/// A part of a statement.
template <typename Concrete>
class PartOfStatement : public mlir::OpTrait::TraitBase<Concrete, PartOfStatement> {};

/// A part that changes something or gives what may change.
template <typename Concrete>
class Momentary : public mlir::OpTrait::TraitBase<Concrete, Momentary> {};

} // namespace comet::spatial

#include "SpatialDialect.h.inc"
#include "SpatialEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "SpatialTypes.h.inc"

#define GET_OP_CLASSES
#include "SpatialOps.h.inc"

#endif // COMET_SPATIAL_DIALECT_H
