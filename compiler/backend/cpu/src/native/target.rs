//! The processor that code is generated for.

use super::{NativeError, Optimization};
use crate::functions::Products;
use comet_dialects::target::{features, is_known_processor, known_processors};
use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::targets::{CodeModel, InitializationConfig, RelocMode, TargetMachine, TargetTriple};
use std::fmt;
use std::sync::Once;

/// The machine that this runs on, or another processor of its family.
pub struct Target {
    machine: TargetMachine,
    cpu: String,
    features: String,
    optimization: Optimization,
}

/// The widest vector registers of a processor.
#[derive(Clone, Copy, Debug, Default)]
pub struct VectorRegisters {
    /// The bits of one.
    pub bits: u32,
    pub count: u32,
    /// How products get their lost bits.
    pub products: Products,
}

/// LLVM's version, as `22.1.8`.
pub fn llvm_version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}

/// LLVM 22.1.8 vectorizes a reduction by `maxnum` or `minnum` over less iterations than this option says with
/// the rest folded into the mask of the vector, and then leaves out what is behind the first vector. With 0
/// such loops are vectorized as longer ones are.
fn avoid_wrong_vectors() {
    static ONCE: Once = Once::new();
    let arguments = [c"comet".as_ptr(), c"-vectorizer-min-trip-count=0".as_ptr()];
    // SAFETY: LLVM reads as many texts as it is passed, which end in zero, and keeps none of them.
    ONCE.call_once(|| unsafe { LLVMParseCommandLineOptions(2, arguments.as_ptr(), c"".as_ptr()) });
}

/// What decides about the code.
impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { machine, cpu, features, optimization } = self;
        f.debug_struct("Target")
            .field("triple", &machine.get_triple())
            .field("cpu", cpu)
            .field("features", features)
            .field("optimization", optimization)
            .finish()
    }
}

impl Target {
    /// The processor `cpu`, as LLVM names it; `native` is the one that this runs on, with all its features.
    ///
    /// # Errors
    /// The user's where LLVM does not know the processor.
    pub fn new(cpu: &str, optimization: Optimization) -> Result<Self, NativeError> {
        let config = InitializationConfig { disassembler: false, ..InitializationConfig::default() };
        inkwell::targets::Target::initialize_native(&config).map_err(NativeError::Internal)?;
        avoid_wrong_vectors();
        let triple = TargetMachine::get_default_triple();
        let (cpu, features) = processor(&triple, cpu)?;
        let machine = machine(&triple, (&cpu, &features), optimization)?;
        Ok(Self { machine, cpu, features, optimization })
    }

    /// What makes the same target again, on another thread.
    pub(super) fn maker(&self) -> impl Fn() -> Result<Self, NativeError> + Sync + use<> {
        let (cpu, features, optimization) = (self.cpu.clone(), self.features.clone(), self.optimization);
        move || {
            let machine = machine(&TargetMachine::get_default_triple(), (&cpu, &features), optimization)?;
            Ok(Self { machine, cpu: cpu.clone(), features: features.clone(), optimization })
        }
    }

    /// Whether this machine can run the code.
    ///
    /// # Errors
    /// The user's where the processor has what this one does not.
    pub fn check_host(&self) -> Result<(), NativeError> {
        let triple = TargetMachine::get_default_triple();
        let host = TargetMachine::get_host_cpu_features().to_string();
        let lacking: Vec<&str> = host.split(',').filter_map(|feature| feature.strip_prefix('-')).collect();
        let wanted = features(&triple.as_str().to_string_lossy(), &self.cpu);
        let missing: Vec<String> =
            wanted.into_iter().filter(|feature| lacking.contains(&feature.as_str())).collect();
        // The features that LLVM finds here may be fewer than its name for this processor promises.
        if missing.is_empty() || !self.features.is_empty() {
            return Ok(());
        }
        let host = TargetMachine::get_host_cpu_name().to_string();
        let message =
            format!("this machine cannot run code for `{}`: it lacks {}", self.cpu, missing.join(", "));
        Err(NativeError::user(message).hint(format!(
            "this machine is `{host}`, which is meant without `--target-cpu`; `comet build` makes programs for others"
        )))
    }

    pub(super) fn machine(&self) -> &TargetMachine {
        &self.machine
    }

    /// What the processor has, by its name and by what was found in this one.
    pub(super) fn all_features(&self) -> Vec<String> {
        all_features(&self.cpu, &self.features)
    }

    pub(super) fn cpu(&self) -> &str {
        &self.cpu
    }

    pub(super) fn features(&self) -> &str {
        &self.features
    }

    /// The vector registers of a processor; `None` where LLVM does not know it.
    pub fn vector_registers(cpu: &str) -> Option<VectorRegisters> {
        inkwell::targets::Target::initialize_native(&InitializationConfig::default()).ok()?;
        let triple = TargetMachine::get_default_triple();
        let (cpu, features) = processor(&triple, cpu).ok()?;
        let bits = register_bits(&cpu, &features);
        let is_x86 = triple.as_str().to_string_lossy().starts_with("x86");
        let is_fused = !is_x86 || all_features(&cpu, &features).iter().any(|feature| feature == "fma");
        let products = if is_fused { Products::Fused } else { Products::Split };
        Some(VectorRegisters { bits, count: if is_x86 && bits < 512 { 16 } else { 32 }, products })
    }

    pub(super) fn register_bits(&self) -> u32 {
        register_bits(&self.cpu, &self.features)
    }

    pub(super) fn optimization(&self) -> Optimization {
        self.optimization
    }
}

fn machine(
    triple: &TargetTriple,
    (cpu, features): (&str, &str),
    optimization: Optimization,
) -> Result<TargetMachine, NativeError> {
    inkwell::targets::Target::from_triple(triple)
        .map_err(|error| NativeError::Internal(error.to_string()))?
        .create_target_machine(
            triple,
            cpu,
            features,
            optimization.of_code_generator(),
            RelocMode::PIC,
            CodeModel::Default,
        )
        .ok_or_else(|| NativeError::Internal(format!("LLVM has no code generator for `{cpu}`")))
}

fn register_bits(cpu: &str, found: &str) -> u32 {
    let all = all_features(cpu, found);
    let has = |name: &str| all.iter().any(|feature| feature == name);
    match () {
        () if has("avx512f") => 512,
        () if has("avx") => 256,
        () => 128,
    }
}

/// What a processor has by its name, and what was found in this one.
fn all_features(cpu: &str, found: &str) -> Vec<String> {
    let triple = TargetMachine::get_default_triple();
    let named = features(&triple.as_str().to_string_lossy(), cpu);
    let found = found.split(',').filter_map(|feature| feature.strip_prefix('+'));
    named.into_iter().chain(found.map(String::from)).collect()
}

/// The processor's name and its features as LLVM wants them; a named processor brings its own features.
fn processor(triple: &TargetTriple, cpu: &str) -> Result<(String, String), NativeError> {
    if cpu == "native" {
        let name = TargetMachine::get_host_cpu_name().to_string();
        return Ok((name, TargetMachine::get_host_cpu_features().to_string()));
    }
    let triple = triple.as_str().to_string_lossy();
    if !is_known_processor(&triple, cpu) {
        return Err(unknown_processor(&triple, cpu));
    }
    Ok((cpu.to_owned(), String::new()))
}

fn unknown_processor(triple: &str, cpu: &str) -> NativeError {
    let known = known_processors(triple).join(", ");
    NativeError::user(format!("unknown processor `{cpu}` for `{triple}`"))
        .hint(format!("`native`, or one of {known}"))
}
