//! Features of processors that objects name, and the run time looks for.

/// Those that code may use beyond what every processor of the family has, by LLVM's names.
#[rustfmt::skip]
pub const DETECTED: [&str; 37] = [
    "sse3", "ssse3", "sse4.1", "sse4.2", "sse4a", "popcnt", "cx16", "avx", "avx2", "fma", "f16c", "bmi", "bmi2",
    "lzcnt", "movbe", "adx", "tbm", "gfni", "avxvnni", "avxifma", "avxneconvert", "avxvnniint8", "avxvnniint16",
    "avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl", "avx512ifma", "avx512vbmi", "avx512vbmi2",
    "avx512vnni", "avx512bitalg", "avx512vpopcntdq", "avx512bf16", "avx512fp16", "avx512vp2intersect",
];

/// The beginnings of the names of features that are about speed, and of AMX, whose instructions no loop is
/// compiled to.
pub const SPEED: [&str; 11] = [
    "fast-",
    "faster-",
    "slow-",
    "false-deps-",
    "prefer-",
    "tuning-",
    "no-bypass-delay",
    "idiv",
    "lea-",
    "use-",
    "amx-",
];

/// Features that every processor of the family has, that are about speed, or whose instructions LLVM uses for
/// intrinsics alone, which kernels have none of. Code for a processor with any other feature may use
/// instructions that the run time cannot ask for.
#[rustfmt::skip]
pub const UNUSED: [&str; 66] = [
    "64bit", "64bit-mode", "cmov", "cx8", "fxsr", "mmx", "nopl", "sahf", "sse", "sse2", "x87", "crc32",
    "allow-light-256-bit", "branchfusion", "macrofusion", "pad-short-functions", "sbb-dep-breaking", "vzeroupper",
    "branch-hint", "ermsb", "fsrm",
    "aes", "cldemote", "clflushopt", "clwb", "clzero", "cmpccxadd", "enqcmd", "fsgsbase", "hreset", "invpcid", "kl",
    "movdir64b", "movdiri", "movrs", "mwaitx", "pclmul", "pconfig", "pku", "prefetchi", "prfchw", "ptwrite", "rdpid",
    "rdpru", "rdrnd", "rdseed", "serialize", "sha", "sha512", "shstk", "sm3", "sm4", "tsxldtrk", "uintr", "usermsr",
    "vaes", "vpclmulqdq", "waitpkg", "wbnoinvd", "widekl", "xsave", "xsavec", "xsaveopt", "xsaves", "rtm", "sgx",
];
