//===- DebugInfo.cpp - scopes for line tables -----------------------------------===//

#include "Comet.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"

using namespace mlir;
using namespace mlir::LLVM;

MlirAttribute cometDebugUnitGet(MlirContext wrapped, MlirStringRef file, MlirStringRef folder) {
  MLIRContext *context = unwrap(wrapped);
  auto source = DIFileAttr::get(context, unwrap(file), unwrap(folder));
  auto id = DistinctAttr::create(UnitAttr::get(context));
  // DWARF has no number for the language, and debuggers know C. A table of names would be read in the place of an index of the whole program, which
  // has the runtime's functions as well.
  return wrap(DICompileUnitAttr::get(id, llvm::dwarf::DW_LANG_C99, source, StringAttr::get(context, "comet"), /*isOptimized=*/true,
                                     DIEmissionKind::LineTablesOnly, DINameTableKind::None));
}

/// A file in the folder of a unit.
static DIFileAttr fileOf(DICompileUnitAttr unit, MlirStringRef name) {
  return DIFileAttr::get(unit.getContext(), unwrap(name), unit.getFile().getDirectory());
}

MlirAttribute cometDebugFunctionGet(MlirAttribute wrapped, MlirStringRef name, MlirStringRef file, uint32_t line) {
  auto unit = llvm::cast<DICompileUnitAttr>(unwrap(wrapped));
  MLIRContext *context = unit.getContext();
  auto source = fileOf(unit, file);
  auto type = DISubroutineTypeAttr::get(context, llvm::dwarf::DW_CC_normal, {});
  auto flags = DISubprogramFlags::Definition | DISubprogramFlags::Optimized;
  return wrap(DISubprogramAttr::get(context, DistinctAttr::create(UnitAttr::get(context)), unit, source,
                                    StringAttr::get(context, unwrap(name)), /*linkageName=*/{}, source, line, line,
                                    flags, type, /*retainedNodes=*/{}, /*annotations=*/{}));
}

MlirAttribute cometDebugFileGet(MlirAttribute wrapped, MlirStringRef file) {
  auto function = llvm::cast<DISubprogramAttr>(unwrap(wrapped));
  return wrap(DILexicalBlockFileAttr::get(function, fileOf(function.getCompileUnit(), file), /*discriminator=*/0));
}

void cometDebugScopeAs(LLVMValueRef wrapped, LLVMValueRef other) {
  llvm::DISubprogram *scope = llvm::unwrap<llvm::Function>(other)->getSubprogram();
  if (!scope)
    return;
  // No two functions may have the same.
  llvm::DISubprogram *own = llvm::MDNode::replaceWithDistinct(scope->clone());
  llvm::Function &function = *llvm::unwrap<llvm::Function>(wrapped);
  function.setSubprogram(own);
  llvm::DebugLoc place = llvm::DILocation::get(function.getContext(), own->getLine(), /*Column=*/0, own);
  for (llvm::Instruction &instruction : llvm::instructions(function))
    instruction.setDebugLoc(place);
}
