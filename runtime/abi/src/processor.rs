//! Features of processors that objects name, and the run time looks for.

/// Those that code may use beyond what every processor of the family has, by LLVM's names. What else LLVM
/// knows of a processor is about speed, or is not used by code that it generates from loops.
#[rustfmt::skip]
pub const DETECTED: [&str; 33] = [
    "sse3", "ssse3", "sse4.1", "sse4.2", "sse4a", "popcnt", "cx16", "avx", "avx2", "fma", "f16c", "bmi", "bmi2",
    "lzcnt", "movbe", "adx", "tbm", "gfni", "avxvnni",
    "avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl", "avx512ifma", "avx512vbmi", "avx512vbmi2",
    "avx512vnni", "avx512bitalg", "avx512vpopcntdq", "avx512bf16", "avx512fp16", "avx512vp2intersect",
];
