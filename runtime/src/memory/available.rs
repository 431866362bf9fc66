//! How much memory there is: requests are refused before the system kills the process.

use super::recycled;
use crate::error::Error;
use std::fmt;

/// Requests above this are compared with the available memory: Linux grants more than it has and kills the
/// process later.
const CHECKED_FROM: usize = 64 << 20;

/// Refuses a large request that the available memory cannot satisfy.
pub(crate) fn check_available(bytes: usize, what: &dyn fmt::Display) -> Result<(), Error> {
    if bytes < CHECKED_FROM {
        return Ok(());
    }
    let lacks = |available: &usize| bytes > *available;
    if available().filter(lacks).is_none() {
        return Ok(());
    }
    // What is kept counts as used.
    recycled::clear();
    match available().filter(lacks) {
        // A number that cannot be counted saturates.
        Some(_) if bytes == usize::MAX => Err(out_of_memory(what, None, None)),
        Some(available) => Err(out_of_memory(what, Some(bytes), Some(available))),
        None => Ok(()),
    }
}

pub(super) fn out_of_memory(
    what: &dyn fmt::Display,
    bytes: Option<usize>,
    available: Option<usize>,
) -> Error {
    Error::OutOfMemory { what: what.to_string(), bytes, available }
}

/// What the process may still allocate, in bytes.
fn available() -> Option<usize> {
    match (available_to_all(), granted_to_process()) {
        (Some(all), Some(process)) => Some(all.min(process)),
        (all, process) => all.or(process),
    }
}

/// What is left of the address space that `ulimit -v` grants; `None` without such a limit.
fn granted_to_process() -> Option<usize> {
    const PAGE: usize = 4096;
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: usize = line.split_whitespace().next()?.parse().ok()?;
    let sizes = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = sizes.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(pages * PAGE))
}

/// What the kernel estimates can be allocated without swapping, in bytes.
fn available_to_all() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}
