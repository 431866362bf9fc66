//! The processor that code is generated for.

use super::{NativeError, Optimization, Platform};
use crate::functions::Products;
use comet_dialects::target::{features, is_known_processor, known_processors};
use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::targets::{CodeModel, RelocMode, TargetMachine};
use std::fmt;
use std::sync::Once;

/// The machine that this runs on, or another processor.
pub struct Target {
    machine: TargetMachine,
    platform: Platform,
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
        let Self { machine, platform: _, cpu, features, optimization } = self;
        f.debug_struct("Target")
            .field("triple", &machine.get_triple())
            .field("cpu", cpu)
            .field("features", features)
            .field("optimization", optimization)
            .finish()
    }
}

impl Target {
    /// The processor `cpu`, as LLVM names it; `native` is the one that this runs on, with all its features,
    /// and `generic` on another platform.
    ///
    /// # Errors
    /// The user's where LLVM does not know the processor.
    pub fn new(platform: Platform, cpu: &str, optimization: Optimization) -> Result<Self, NativeError> {
        avoid_wrong_vectors();
        let (cpu, features) = processor(platform, cpu)?;
        let machine = machine(platform, (&cpu, &features), optimization)?;
        Ok(Self { machine, platform, cpu, features, optimization })
    }

    /// What makes the same target again, on another thread.
    pub(super) fn maker(&self) -> impl Fn() -> Result<Self, NativeError> + Sync + use<> {
        let (cpu, features) = (self.cpu.clone(), self.features.clone());
        let (platform, optimization) = (self.platform, self.optimization);
        move || {
            let machine = machine(platform, (&cpu, &features), optimization)?;
            Ok(Self { machine, platform, cpu: cpu.clone(), features: features.clone(), optimization })
        }
    }

    /// Whether this machine can run the code.
    ///
    /// # Errors
    /// The user's where the processor has what this one does not.
    pub fn check_host(&self) -> Result<(), NativeError> {
        let host = TargetMachine::get_host_cpu_features().to_string();
        let lacking: Vec<&str> = host.split(',').filter_map(|feature| feature.strip_prefix('-')).collect();
        let wanted = named_features(self.platform, &self.cpu);
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
        all_features(self.platform, (&self.cpu, &self.features))
    }

    /// The processor by LLVM's name.
    pub fn cpu(&self) -> &str {
        &self.cpu
    }

    pub(super) fn features(&self) -> &str {
        &self.features
    }

    /// The vector registers of a processor; `None` where LLVM does not know it.
    pub fn vector_registers(platform: Platform, cpu: &str) -> Option<VectorRegisters> {
        let (cpu, features) = processor(platform, cpu).ok()?;
        let bits = register_bits(platform, (&cpu, &features));
        let is_x86 = platform == Platform::X86_64;
        let is_fused =
            !is_x86 || all_features(platform, (&cpu, &features)).iter().any(|feature| feature == "fma");
        let products = if is_fused { Products::Fused } else { Products::Split };
        Some(VectorRegisters { bits, count: if is_x86 && bits < 512 { 16 } else { 32 }, products })
    }

    pub(super) fn register_bits(&self) -> u32 {
        register_bits(self.platform, (&self.cpu, &self.features))
    }

    pub(super) fn optimization(&self) -> Optimization {
        self.optimization
    }
}

fn machine(
    platform: Platform,
    (cpu, features): (&str, &str),
    optimization: Optimization,
) -> Result<TargetMachine, NativeError> {
    platform.initialize();
    let triple = platform.triple();
    inkwell::targets::Target::from_triple(&triple)
        .map_err(|error| NativeError::Internal(error.to_string()))?
        .create_target_machine(
            &triple,
            cpu,
            features,
            optimization.of_code_generator(),
            RelocMode::PIC,
            CodeModel::Default,
        )
        .ok_or_else(|| NativeError::Internal(format!("LLVM has no code generator for `{cpu}`")))
}

fn register_bits(platform: Platform, processor: (&str, &str)) -> u32 {
    let all = all_features(platform, processor);
    let has = |name: &str| all.iter().any(|feature| feature == name);
    match () {
        () if has("avx512f") => 512,
        () if has("avx") => 256,
        () => 128,
    }
}

/// What a processor has by its name, and what was found in this one.
fn all_features(platform: Platform, (cpu, found): (&str, &str)) -> Vec<String> {
    let named = named_features(platform, cpu);
    let found = found.split(',').filter_map(|feature| feature.strip_prefix('+'));
    named.into_iter().chain(found.map(String::from)).collect()
}

/// What a processor has by its name.
fn named_features(platform: Platform, cpu: &str) -> Vec<String> {
    platform.initialize();
    features(&platform.triple().as_str().to_string_lossy(), cpu)
}

/// The processor's name and its features as LLVM wants them; a named processor brings its own features.
fn processor(platform: Platform, cpu: &str) -> Result<(String, String), NativeError> {
    let cpu = match cpu {
        "native" if platform.is_foreign() => "generic",
        "native" => {
            let name = TargetMachine::get_host_cpu_name().to_string();
            return Ok((name, TargetMachine::get_host_cpu_features().to_string()));
        }
        named => named,
    };
    platform.initialize();
    let triple = platform.triple();
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
