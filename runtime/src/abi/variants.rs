//! Kernels that were compiled for several processors: the body for the one that this is runs.

use super::handle::{CallOptions, KernelArguments, Text};
use super::kernel::{Body, enter};
use crate::error::Error;
use crate::kernel::processor::{Candidate, choose};
use std::ffi::c_int;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What generated code has of a kernel: the number of the body that was chosen, from 1 on, 0 before the
/// first call; the number of bodies; and the bodies, of which those that need more come later.
#[repr(C)]
pub(crate) struct Variants {
    chosen: AtomicUsize,
    count: usize,
    variants: *const Variant,
}

/// A body with the name of the processor that it was compiled for and the features that it needs, separated
/// by commas.
#[repr(C)]
pub(crate) struct Variant {
    name: Text,
    features: Text,
    body: Body,
}

impl Variants {
    /// Returns the body for this processor, which the first call chooses.
    fn body(&self) -> Result<Body, Error> {
        // SAFETY: generated code states how many there are.
        let all = unsafe { std::slice::from_raw_parts(self.variants, self.count) };
        if let Some(chosen) = self.chosen.load(Ordering::Relaxed).checked_sub(1) {
            return Ok(all[chosen].body);
        }
        let candidates: Vec<Candidate<'_>> = all
            .iter()
            .map(|variant| Candidate { name: variant.name.get(), features: variant.features.get() })
            .collect();
        let chosen = choose(&candidates)?;
        self.chosen.store(chosen + 1, Ordering::Relaxed);
        Ok(all[chosen].body)
    }
}

/// The address of [`Variants`].
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct KernelVariants(*const Variants);

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_kernel_for_processor(
    signature: Text,
    arguments: KernelArguments,
    options: CallOptions,
    variants: KernelVariants,
) -> c_int {
    // SAFETY: generated code passes a variable of its own.
    let variants = unsafe { &*variants.0 };
    enter(signature, arguments, options, || variants.body())
}
