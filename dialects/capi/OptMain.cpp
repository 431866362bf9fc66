//===- OptMain.cpp - the main function of comet-opt -------------------------------===//

#include "Comet.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace {

void appendTo(MlirStringRef chunk, void *text) { static_cast<std::string *>(text)->append(chunk.data, chunk.length); }

/// Runs the passes of the command line on a module's text.
LogicalResult runOnText(StringRef text, StringRef name, StringRef outputFilename, DialectRegistry &registry) {
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(outputFilename, &error);
  if (!output) {
    llvm::errs() << "error: " << error << "\n";
    return failure();
  }
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, name);
  if (failed(MlirOptMain(output->os(), std::move(buffer), registry, MlirOptMainConfig::createFromCLOptions())))
    return failure();
  output->keep();
  return success();
}

} // namespace

int cometOptMain(int argc, char **argv, MlirDialectRegistry registry, MlirStringRef toolName, CometReadSource readSource) {
  DialectRegistry &dialects = *unwrap(registry);
  auto [input, output] = registerAndParseCLIOptions(argc, argv, unwrap(toolName), dialects);
  if (!StringRef(input).ends_with(".ta"))
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, dialects));
  llvm::InitLLVM initialized(argc, argv);
  std::string text;
  if (!readSource(wrap(StringRef(input)), appendTo, &text))
    return EXIT_FAILURE;
  return asMainReturnCode(runOnText(text, input, output, dialects));
}
