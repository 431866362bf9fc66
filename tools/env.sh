# shellcheck shell=bash
# Sourced by the scripts of this folder, and by hand where LLVM is not in Debian's place.
#
# One of the three prefix variables is enough: the crates that read the other two then get the same folder. Without any,
# .cargo/config.toml names Debian's. `llvm_prefix` is for the scripts.

llvm_version=22
llvm_default_prefix=/usr/lib/llvm-$llvm_version
llvm_prefix=${MLIR_SYS_220_PREFIX:-${LLVM_SYS_221_PREFIX:-${TABLEGEN_220_PREFIX:-$llvm_default_prefix}}}
if [ "$llvm_prefix" != "$llvm_default_prefix" ]; then
    export MLIR_SYS_220_PREFIX="$llvm_prefix" LLVM_SYS_221_PREFIX="$llvm_prefix" TABLEGEN_220_PREFIX="$llvm_prefix"
fi

# A toolchain that rustup has just installed is not on the PATH of this shell yet, and must win over the distribution's.
cargo_bin=${CARGO_HOME:-$HOME/.cargo}/bin
if [ -x "$cargo_bin/cargo" ]; then
    case ":$PATH:" in
        "$cargo_bin:"* | ":$cargo_bin:"*) ;;
        *) export PATH="$cargo_bin:$PATH" ;;
    esac
fi
