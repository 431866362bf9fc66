//! The families of processors that code is generated for.

use super::NativeError;
use inkwell::targets::{InitializationConfig, Target, TargetMachine, TargetTriple};

/// A family of processors with the operating system on it, Linux with the C library of GNU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    X86_64,
    AArch64,
}

impl Platform {
    /// Those that this build has a code generator for.
    const ALL: &[Self] =
        if cfg!(feature = "aarch64") { &[Self::X86_64, Self::AArch64] } else { &[Self::HOST] };

    /// The one that this runs on.
    pub const HOST: Self = if cfg!(target_arch = "aarch64") { Self::AArch64 } else { Self::X86_64 };

    /// Returns the platform that a triple names, with a vendor or without: `aarch64-linux-gnu`,
    /// `x86_64-pc-linux-gnu`.
    ///
    /// # Errors
    /// The user's where there is no code generator for it.
    pub fn of_triple(triple: &str) -> Result<Self, NativeError> {
        let parts: Vec<&str> = triple.split('-').collect();
        let found = match parts[..] {
            [processor, "linux", "gnu"] | [processor, _, "linux", "gnu"] => {
                Self::ALL.iter().copied().find(|platform| platform.processor() == processor)
            }
            _ => None,
        };
        let all: Vec<String> = Self::ALL.iter().map(|platform| format!("`{}`", platform.name())).collect();
        let all = all.join(" or ");
        found.ok_or_else(|| {
            NativeError::user(format!("unknown target `{triple}`: expected {all}"))
                .hint("this machine is meant without `--target-triple`")
        })
    }

    pub fn is_foreign(self) -> bool {
        self != Self::HOST
    }

    /// Its triple as compilers on Debian are called.
    pub fn name(self) -> String {
        format!("{}-linux-gnu", self.processor())
    }

    fn processor(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64",
            Self::AArch64 => "aarch64",
        }
    }

    /// LLVM's triple; on this machine the one that LLVM was built for.
    pub(super) fn triple(self) -> TargetTriple {
        match self.is_foreign() {
            true => TargetTriple::create(&format!("{}-unknown-linux-gnu", self.processor())),
            false => TargetMachine::get_default_triple(),
        }
    }

    /// Makes its code generator known to LLVM.
    pub(super) fn initialize(self) {
        let config = InitializationConfig { disassembler: false, ..InitializationConfig::default() };
        match self {
            Self::X86_64 => Target::initialize_x86(&config),
            #[cfg(any(feature = "aarch64", target_arch = "aarch64"))]
            Self::AArch64 => Target::initialize_aarch64(&config),
            #[cfg(not(any(feature = "aarch64", target_arch = "aarch64")))]
            Self::AArch64 => unreachable!("no triple names it in this build"),
        }
    }
}

impl Default for Platform {
    fn default() -> Self {
        Self::HOST
    }
}
