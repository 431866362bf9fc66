//! The same for each of several things, on as many threads as there are processors.

use crate::setting::Outcome;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What becomes of each, in their order.
///
/// # Errors
/// The first of what went wrong; nothing is begun after that.
pub(crate) fn each<T: Sync, R: Send>(items: &[T], of: impl Fn(&T) -> Outcome<R> + Sync) -> Outcome<Vec<R>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    // Those behind take longest: where they begin first, no thread waits for the last one alone.
    let left = AtomicUsize::new(items.len());
    let done: Mutex<Vec<(usize, Outcome<R>)>> = Mutex::new(Vec::new());
    let next = || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).ok();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(number) = next() {
                    let place = number - 1;
                    let result = of(&items[place]);
                    if result.is_err() {
                        left.store(0, Ordering::Relaxed);
                    }
                    done.lock().expect("no thread has panicked").push((place, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no thread has panicked");
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results come in the order of what they are of.
    #[test]
    fn results_are_in_order() {
        let numbers: Vec<u32> = (0..50).collect();
        assert_eq!(each(&numbers, |number| Ok(number + 1)).unwrap(), (1..51).collect::<Vec<u32>>());
        let failed: Outcome<Vec<u32>> = each(&numbers, |number| Err(number.to_string()));
        assert!(failed.is_err());
    }
}
