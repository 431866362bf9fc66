//! What tasks and others wait for: one task that ends, and a number of them.

use super::executor::{Work, wake};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// What becomes complete once, with what waits for that.
#[derive(Default)]
pub struct Completion {
    is_complete: AtomicBool,
    is_error: AtomicBool,
    then: Mutex<Vec<Work>>,
}

impl Completion {
    /// Completes a task that has failed.
    pub fn fail(&self) {
        self.is_error.store(true, Ordering::Release);
        self.complete();
    }

    /// Completes the task and runs what waits for it.
    pub fn complete(&self) {
        let waiting = {
            let mut then = self.then.lock();
            self.is_complete.store(true, Ordering::Release);
            std::mem::take(&mut *then)
        };
        waiting.into_iter().for_each(|task| task());
        wake();
    }

    /// Returns whether the task has failed.
    pub fn is_error(&self) -> bool {
        self.is_error.load(Ordering::Acquire)
    }

    /// Returns whether the task has ended.
    pub fn is_complete(&self) -> bool {
        self.is_complete.load(Ordering::Acquire)
    }

    /// Does something short as soon as it is complete.
    fn then(&self, work: Work) {
        let mut then = self.then.lock();
        if self.is_complete() {
            drop(then);
            work();
        } else {
            then.push(work);
        }
    }
}

/// A number of completions.
pub struct Group {
    /// The number of tokens to come.
    pending: AtomicI64,
    /// The number of tokens added.
    added: AtomicI64,
    has_error: AtomicBool,
    all: Completion,
}

impl Group {
    /// Makes a group of that many tokens.
    pub fn new(size: i64) -> Self {
        let all = Completion::default();
        if size <= 0 {
            all.complete();
        }
        let (pending, added) = (AtomicI64::new(size), AtomicI64::new(0));
        Self { pending, added, has_error: AtomicBool::new(false), all }
    }

    /// Adds one, which gets the next number.
    pub fn add(self: &Arc<Self>, one: &Arc<Completion>) -> i64 {
        let (group, added) = (Arc::clone(self), Arc::clone(one));
        one.then(Box::new(move || {
            if added.is_error() {
                group.has_error.store(true, Ordering::Release);
            }
            if group.pending.fetch_sub(1, Ordering::AcqRel) == 1 {
                group.all.complete();
            }
        }));
        self.added.fetch_add(1, Ordering::AcqRel)
    }

    /// Whether one of them has failed.
    pub fn is_error(&self) -> bool {
        self.has_error.load(Ordering::Acquire)
    }

    /// Whether all are complete.
    pub fn is_complete(&self) -> bool {
        self.all.is_complete()
    }
}

#[cfg(test)]
mod tests {
    use super::{Completion, Group};
    use crate::asynchronous::{help_until, spawn};
    use std::sync::Arc;

    #[test]
    fn a_group_waits_for_all() {
        for size in 0..20 {
            let group = Arc::new(Group::new(size));
            for number in 0..size {
                let one = Arc::new(Completion::default());
                if number % 2 == 0 {
                    one.complete();
                }
                assert_eq!(group.add(&one), number);
                if number % 2 == 1 {
                    spawn(Box::new(move || one.complete()));
                }
            }
            help_until(&|| group.is_complete());
            assert!(!group.is_error());
        }
    }

    #[test]
    fn an_error_of_one_is_one_of_the_group() {
        let (group, one) = (Arc::new(Group::new(1)), Arc::new(Completion::default()));
        group.add(&one);
        one.fail();
        help_until(&|| group.is_complete());
        assert!(group.is_error());
    }
}
