//===- Passes.cpp - MLIR passes whose work is a callback ------------------------===//

#include "Comet.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace {

/// What a registered pass is, once for all its instances.
struct PassSpec {
  struct OptionSpec {
    std::string name, defaultValue, description;
  };
  std::string argument, description;
  std::vector<OptionSpec> options;
  std::vector<std::string> dialects;
  CometPassCallback callback;
  void *userData;
  TypeID id;
};

/// A module pass that hands its work and its options' values to a callback.
class CallbackPass : public OperationPass<ModuleOp> {
public:
  explicit CallbackPass(const PassSpec &spec) : OperationPass(spec.id), spec(spec) { createOptions(); }

  /// Options register themselves with the pass that owns them; the pass manager copies their values after cloning.
  CallbackPass(const CallbackPass &other) : OperationPass(other), spec(other.spec) { createOptions(); }

  StringRef getName() const override { return spec.argument; }
  StringRef getArgument() const override { return spec.argument; }
  StringRef getDescription() const override { return spec.description; }
  std::unique_ptr<Pass> clonePass() const override { return std::make_unique<CallbackPass>(*this); }

  LogicalResult initialize(MLIRContext *context) override {
    for (const std::string &dialect : spec.dialects)
      if (!context->getOrLoadDialect(dialect))
        return emitError(UnknownLoc::get(context)) << spec.argument << ": dialect `" << dialect << "` is not registered";
    return success();
  }

  void runOnOperation() override {
    SmallVector<MlirStringRef> values;
    for (const auto &option : options)
      values.push_back(wrap(StringRef(option->getValue())));
    if (!spec.callback(spec.userData, wrap(getOperation().getOperation()), values.data(), values.size()))
      signalPassFailure();
  }

private:
  void createOptions() {
    for (const PassSpec::OptionSpec &option : spec.options)
      options.push_back(std::make_unique<Option<std::string>>(*this, option.name, llvm::cl::desc(option.description),
                                                              llvm::cl::init(option.defaultValue)));
  }

  const PassSpec &spec;
  std::vector<std::unique_ptr<Option<std::string>>> options;
};

} // namespace

void cometRegisterPass(MlirStringRef argument, MlirStringRef description, intptr_t optionCount, const CometPassOption *options,
                       intptr_t dialectCount, const MlirStringRef *dialects, CometPassCallback callback, void *userData) {
  // Registrations live as long as the process, like the registry that refers to them.
  auto *allocator = new TypeIDAllocator();
  auto *spec = new PassSpec{unwrap(argument).str(), unwrap(description).str(), {}, {}, callback, userData, allocator->allocate()};
  for (const CometPassOption &option : ArrayRef(options, optionCount))
    spec->options.push_back({unwrap(option.name).str(), unwrap(option.defaultValue).str(), unwrap(option.description).str()});
  for (MlirStringRef dialect : ArrayRef(dialects, dialectCount))
    spec->dialects.push_back(unwrap(dialect).str());
  registerPass([spec] { return std::make_unique<CallbackPass>(*spec); });
}

void cometRegisterPipeline(MlirStringRef argument, MlirStringRef description, MlirStringRef pipeline) {
  std::string text = unwrap(pipeline).str();
  registerPassPipeline(
      unwrap(argument), unwrap(description),
      [text](OpPassManager &manager, StringRef options, function_ref<LogicalResult(const Twine &)> errorHandler) -> LogicalResult {
        if (!options.empty())
          return errorHandler("this pipeline has no options");
        return parsePassPipeline(text, manager, llvm::errs());
      },
      [](function_ref<void(const detail::PassOptions &)>) {});
}
