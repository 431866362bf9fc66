//! References to contexts that were found through what belongs to them.

use melior::{Context, ContextRef};
use std::cell::RefCell;

thread_local! {
    /// One place for each context that this thread has come across; a few bytes each, which stay.
    static PLACES: RefCell<Vec<&'static ContextRef<'static>>> = const { RefCell::new(Vec::new()) };
}

/// The context itself.
///
/// melior's [`ContextRef::to_ref`] returns a reference to the `ContextRef`'s own place, which dangles where
/// that was a temporary. Here the place stays for good.
pub(crate) fn of_ref<'c>(context: ContextRef<'c>) -> &'c Context {
    let place = PLACES.with_borrow_mut(|places| match places.iter().find(|place| ***place == context) {
        Some(place) => *place,
        None => {
            // SAFETY: the reference is to the local variable, which lives through this statement.
            let raw = unsafe { context.to_ref() }.to_raw();
            // SAFETY: a place is only looked at through a context that lives and is equal to it.
            let place: &'static ContextRef<'static> =
                Box::leak(Box::new(unsafe { ContextRef::from_raw(raw) }));
            places.push(place);
            place
        }
    });
    // SAFETY: the place lives as long as the process, and the context as long as 'c.
    unsafe { place.to_ref() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use melior::ir::{Location, Module};

    /// The reference is good after the handle that it was asked of is gone, and there is one place for all.
    #[test]
    fn references_outlive_their_handles() {
        let context = Context::new();
        let module = Module::new(Location::unknown(&context));
        let first = of_ref(module.context());
        let second = of_ref(module.context());
        assert_eq!(first, &context);
        assert!(std::ptr::eq(first, second));
    }
}
