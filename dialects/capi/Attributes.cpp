//===- Attributes.cpp - attributes and types for the C interface --------------===//

#include "Comet.h"

#include "CinDialect.h"
#include "TaDialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace comet;

static ta::FormatAttr unwrapFormat(MlirAttribute format) { return llvm::cast<ta::FormatAttr>(unwrap(format)); }
static ta::FileModeAttr unwrapFileMode(MlirAttribute attribute) { return llvm::cast<ta::FileModeAttr>(unwrap(attribute)); }

MlirAttribute cometTaFormatGet(MlirContext context, intptr_t count, const CometLevel *levels, unsigned indexWidth, int32_t memory) {
  SmallVector<ta::Level> list;
  for (const CometLevel &level : ArrayRef(levels, count))
    list.push_back({ta::LevelKind(level.kind), level.wordBits, ta::LevelExpr(level.expr), level.mode, level.factor});
  return wrap(ta::FormatAttr::get(unwrap(context), list, indexWidth, ta::Memory(memory)));
}

bool cometAttributeIsTaFormat(MlirAttribute attribute) { return llvm::isa_and_nonnull<ta::FormatAttr>(unwrap(attribute)); }

intptr_t cometTaFormatGetNumLevels(MlirAttribute format) { return unwrapFormat(format).getLevels().size(); }

CometLevel cometTaFormatGetLevel(MlirAttribute format, intptr_t number) {
  const ta::Level &level = unwrapFormat(format).getLevels()[number];
  return {int32_t(level.kind), level.wordBits, int32_t(level.expr), level.mode, level.factor};
}

unsigned cometTaFormatGetIndexWidth(MlirAttribute format) { return unwrapFormat(format).getIndexWidth(); }

int32_t cometTaFormatGetMemory(MlirAttribute format) { return int32_t(unwrapFormat(format).getMemory()); }

MlirAttribute cometTaFileModeGet(MlirContext context, MlirStringRef source, MlirStringRef tensor, int64_t rank, int64_t mode) {
  return wrap(ta::FileModeAttr::get(unwrap(context), unwrap(source), unwrap(tensor), rank, mode));
}

MlirStringRef cometTaFileModeGetSource(MlirAttribute attribute) { return wrap(unwrapFileMode(attribute).getSource()); }
MlirStringRef cometTaFileModeGetTensor(MlirAttribute attribute) { return wrap(unwrapFileMode(attribute).getTensor()); }
int64_t cometTaFileModeGetRank(MlirAttribute attribute) { return unwrapFileMode(attribute).getRank(); }
int64_t cometTaFileModeGetMode(MlirAttribute attribute) { return unwrapFileMode(attribute).getMode(); }

MlirType cometTaPermutationTypeGet(MlirContext context) { return wrap(ta::PermutationType::get(unwrap(context))); }
MlirType cometTaRangeTypeGet(MlirContext context) { return wrap(ta::RangeType::get(unwrap(context))); }

MlirType cometTaLabeledTypeGet(MlirType element) {
  Type type = unwrap(element);
  return wrap(ta::LabeledType::get(type.getContext(), type));
}

MlirType cometTaLabeledTypeGetElement(MlirType labeled) { return wrap(llvm::cast<ta::LabeledType>(unwrap(labeled)).getElementType()); }

MlirType cometCinIndexTypeGet(MlirContext context) { return wrap(cin::IndexType::get(unwrap(context))); }

MlirAttribute cometCinAssignOrders(MlirOperation assign, bool *isConcordant) {
  auto [orders, agree] = llvm::cast<cin::AssignOp>(unwrap(assign)).deriveOrders();
  *isConcordant = agree;
  return wrap(orders);
}

MlirAttribute cometFastMathGet(MlirContext context, bool reassociate) {
  auto flags = arith::FastMathFlags::contract;
  if (reassociate)
    flags = flags | arith::FastMathFlags::reassoc;
  return wrap(arith::FastMathFlagsAttr::get(unwrap(context), flags));
}

MlirAttribute cometLoopUnrolledGet(MlirContext wrapped, int32_t rounds) {
  MLIRContext *context = unwrap(wrapped);
  auto count = IntegerAttr::get(IntegerType::get(context, 32), rounds);
  auto unroll = LLVM::LoopUnrollAttr::get(context, {}, count, {}, {}, {}, {}, {});
  return wrap(LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}));
}

MlirAttribute cometLoopNotInterleavedGet(MlirContext wrapped) {
  MLIRContext *context = unwrap(wrapped);
  auto interleave = LLVM::LoopInterleaveAttr::get(context, IntegerAttr::get(IntegerType::get(context, 32), 1));
  return wrap(LLVM::LoopAnnotationAttr::get(context, {}, {}, interleave, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}));
}

MlirAttribute cometLoopNeverUnrolledGet(MlirContext wrapped) {
  MLIRContext *context = unwrap(wrapped);
  auto unroll = LLVM::LoopUnrollAttr::get(context, /*disable=*/BoolAttr::get(context, true), {}, {}, {}, {}, {}, {});
  return wrap(LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}));
}
