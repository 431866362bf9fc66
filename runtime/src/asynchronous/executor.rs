//! Threads that take tasks from each other.
//!
//! Every worker has a deque of its own, which it takes the newest task from and others steal the oldest one
//! from; other threads put tasks into a queue that all take from. Who waits for something runs tasks
//! meanwhile, so that a program with `n` threads needs `n - 1` workers. Nothing is locked but to sleep and to
//! wake up.

use super::affinity::Affinity;
use crate::abi::forks;
use crate::exit::{Failure, catching, end_with, fail, is_catching};
use crate::options;
use core_affinity::CoreId;
use crossbeam_deque::{Injector, Steal, Stealer, Worker};
use crossbeam_utils::Backoff;
use parking_lot::{Condvar, Mutex};
use std::cell::{Cell, OnceCell, RefCell};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How long a thread that finds nothing to do looks again, and leaves the core to others, before it sleeps.
/// To wake up takes as long as a small kernel, and a kernel is often called again soon.
const PATIENCE: Duration = Duration::from_micros(500);

/// What is run once.
pub type Work = Box<dyn FnOnce() + Send>;

/// Work, and whose it is.
struct Task {
    work: Work,
    family: Arc<Family>,
    /// Whether its failure ends a call, and not the process: code of programs does not unwind.
    is_caught: bool,
}

/// All tasks that one thread has spawned, and those that these have: they fail together.
#[derive(Default)]
struct Family {
    /// Tasks that have not ended.
    running: AtomicUsize,
    has_failed: AtomicBool,
    /// Why one of them failed.
    failure: Mutex<Option<Failure>>,
}

/// What all threads share.
struct Executor {
    threads: usize,
    /// Tasks of threads that are no workers.
    queue: Injector<Task>,
    stealers: Vec<Stealer<Task>>,
    sleepers: Sleepers,
}

thread_local! {
    static OWN: OnceCell<Worker<Task>> = const { OnceCell::new() };
    /// Whose work this thread does: its own, or that of the task which it runs.
    static FAMILY: RefCell<Arc<Family>> = RefCell::default();
    /// Whether this thread shares no loops.
    static IS_ALONE: Cell<bool> = const { Cell::new(false) };
    /// Whether the worker runs a task.
    static IS_IN_TASK: Cell<bool> = const { Cell::new(false) };
}

/// Returns the number of threads that run tasks: what was set last, `--threads`, or `COMET_NUM_THREADS`, or
/// all cores; one inside of [`alone`].
pub fn threads() -> usize {
    if IS_ALONE.get() { 1 } else { options::threads().min(executor().threads) }
}

/// Runs a body whose loops are not shared with other threads: to wake one up takes longer than they do.
pub fn alone<R>(body: impl FnOnce() -> R) -> R {
    /// A body that unwinds leaves this thread as it was, too.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            IS_ALONE.set(self.0);
        }
    }
    let _before = Before(IS_ALONE.replace(true));
    body()
}

/// Has work done by whoever comes to it.
pub fn spawn(work: Work) {
    let executor = executor();
    let task = Task { work, family: family(), is_caught: is_catching() };
    task.family.running.fetch_add(1, Ordering::Relaxed);
    OWN.with(|own| match own.get() {
        Some(own) => own.push(task),
        None => executor.queue.push(task),
    });
    executor.sleepers.wake();
}

/// Runs tasks until something is so. Whoever makes it so wakes those who wait. Where a task fails that this
/// thread or its task has spawned, this fails as well, when no such task runs any more.
pub fn help_until(is_so: &dyn Fn() -> bool) {
    let family = family();
    executor().help_until(&|| is_so() || family.has_failed());
    if family.has_failed() {
        family.fail();
    }
}

/// Ends all tasks that this thread has started, of which nothing is wanted any more: those that run come to
/// their end, the others are dropped.
pub fn abandon() {
    let family = family();
    family.has_failed.store(true, Ordering::Release);
    family.end_all();
}

/// Waits until no task runs that this thread has started: one that has completed what others wait for may
/// still be on its way back through the code of a program.
pub fn finish() {
    let family = family();
    if family.running.load(Ordering::Acquire) > 0 {
        family.end_all();
    }
}

/// Wakes threads that wait: their condition may hold now.
pub(super) fn wake() {
    executor().sleepers.wake();
}

fn family() -> Arc<Family> {
    FAMILY.with_borrow(Arc::clone)
}

impl Family {
    fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Acquire)
    }

    /// Ends what this thread does. Outside of tasks it waits for all of them first, since they may use what
    /// is gone afterwards.
    fn fail(&self) -> ! {
        let failure = self.failure.lock().clone();
        if !IS_IN_TASK.get() {
            self.end_all();
        }
        end_with(failure.expect("a task that fails says why"))
    }

    /// Waits until no task runs. Those that come later begin anew.
    fn end_all(&self) {
        let executor = executor();
        executor.help_until(&|| self.running.load(Ordering::Acquire) == 0);
        self.has_failed.store(false, Ordering::Release);
    }

    fn end_task(&self, result: Result<(), Failure>) {
        if let Err(failure) = result {
            *self.failure.lock() = Some(failure);
            self.has_failed.store(true, Ordering::Release);
        }
        self.running.fetch_sub(1, Ordering::Release);
    }
}

/// One for this process, and one for each process that was forked on the way to it: these have none of the
/// threads of the one before. In one that is forked more often, the last executor has no workers, and who
/// waits does all tasks.
static EXECUTORS: [OnceLock<Executor>; 16] = [const { OnceLock::new() }; 16];

fn own_executor() -> &'static OnceLock<Executor> {
    &EXECUTORS[forks::count().min(EXECUTORS.len() - 1)]
}

/// Returns how many threads run tasks at most, where they were started.
pub(crate) fn started() -> Option<usize> {
    own_executor().get().map(|executor| executor.threads)
}

fn executor() -> &'static Executor {
    let (mut deques, mut cores) = (Vec::new(), Vec::new());
    let executor = own_executor().get_or_init(|| {
        forks::follow();
        let threads = options::most_threads();
        let affinity = Affinity::of_environment().unwrap_or_else(|error| fail("", &error));
        cores = affinity.cores(threads - 1);
        deques.extend((1..threads).map(|_| Worker::new_lifo()));
        Executor {
            threads,
            queue: Injector::new(),
            stealers: deques.iter().map(Worker::stealer).collect(),
            sleepers: Sleepers::default(),
        }
    });
    // The allocator of the call that has made the executor.
    let workers = deques.into_iter().zip(cores).enumerate();
    workers.for_each(|(number, (own, core))| start(number, own, core));
    executor
}

/// Starts a worker, on its core where it has one. One that the system refuses is missing: the others do its
/// work; where it refuses the core, the worker runs anywhere.
fn start(number: usize, own: Worker<Task>, core: Option<CoreId>) {
    let body = move || {
        core.map(core_affinity::set_for_current);
        let _ = OWN.with(|place| place.set(own));
        executor().help_until(&|| false);
    };
    let _ = std::thread::Builder::new().name(format!("comet-{number}")).spawn(body);
}

impl Executor {
    fn help_until(&self, is_so: &dyn Fn() -> bool) {
        let backoff = Backoff::new();
        let mut idle_since = None;
        while !is_so() {
            if let Some(task) = self.next() {
                self.run(task);
                backoff.reset();
                idle_since = None;
            } else if !backoff.is_completed() {
                backoff.snooze();
            } else if idle_since.get_or_insert_with(Instant::now).elapsed() < PATIENCE {
                std::thread::yield_now();
            } else {
                self.sleepers.sleep_until(&|| is_so() || self.has_tasks());
                backoff.reset();
                idle_since = None;
            }
        }
    }

    fn has_tasks(&self) -> bool {
        !self.queue.is_empty() || self.stealers.iter().any(|stealer| !stealer.is_empty())
    }

    /// The newest task of this thread, or another one.
    fn next(&self) -> Option<Task> {
        OWN.with(|own| {
            own.get().and_then(Worker::pop).or_else(|| {
                loop {
                    let from_queue = || match own.get() {
                        Some(own) => self.queue.steal_batch_and_pop(own),
                        None => self.queue.steal(),
                    };
                    let stolen = self.stealers.iter().map(Stealer::steal).collect::<Steal<Task>>();
                    match stolen.or_else(from_queue) {
                        Steal::Success(task) => return Some(task),
                        Steal::Empty => return None,
                        Steal::Retry => {}
                    }
                }
            })
        })
    }

    /// Runs a task, unless one of its family has failed.
    fn run(&self, Task { work, family, is_caught }: Task) {
        let result = if family.has_failed() {
            Ok(())
        } else {
            let before = (FAMILY.replace(Arc::clone(&family)), IS_IN_TASK.replace(true));
            let result = if is_caught {
                catching(work)
            } else {
                work();
                Ok(())
            };
            FAMILY.set(before.0);
            IS_IN_TASK.set(before.1);
            result
        };
        family.end_task(result);
        self.sleepers.wake();
    }
}

/// Threads that have found nothing to do for a while.
#[derive(Default)]
struct Sleepers {
    count: AtomicUsize,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Sleepers {
    /// Sleeps until something is so.
    fn sleep_until(&self, is_so: &dyn Fn() -> bool) {
        let mut guard = self.lock.lock();
        self.count.fetch_add(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        while !is_so() {
            self.changed.wait(&mut guard);
        }
        self.count.fetch_sub(1, Ordering::SeqCst);
    }

    /// Has all sleepers look again. What has changed comes before this in the program, so that one that goes
    /// to sleep meanwhile has seen it.
    fn wake(&self) {
        fence(Ordering::SeqCst);
        if self.count.load(Ordering::SeqCst) > 0 {
            drop(self.lock.lock());
            self.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{finish, help_until, spawn, wake};
    use crate::error::Error;
    use crate::exit::{Failure, catching, fail};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn all_tasks_are_run_those_of_tasks_too() {
        const TASKS: usize = 1000;
        let count = Arc::new(AtomicUsize::new(0));
        for _ in 0..TASKS {
            let count = Arc::clone(&count);
            spawn(Box::new(move || {
                let inner = Arc::clone(&count);
                spawn(Box::new(move || {
                    inner.fetch_add(1, Ordering::AcqRel);
                    wake();
                }));
                count.fetch_add(1, Ordering::AcqRel);
            }));
        }
        help_until(&|| count.load(Ordering::Acquire) == 2 * TASKS);
        assert_eq!(count.load(Ordering::Acquire), 2 * TASKS);
    }

    /// What a task does after others have gone on because of it has happened when all are finished.
    #[test]
    fn tasks_end_before_all_is_finished() {
        for _ in 0..20 {
            let stage = Arc::new(AtomicUsize::new(0));
            let own = Arc::clone(&stage);
            spawn(Box::new(move || {
                own.store(1, Ordering::Release);
                wake();
                std::thread::sleep(Duration::from_millis(2));
                own.store(2, Ordering::Release);
            }));
            help_until(&|| stage.load(Ordering::Acquire) > 0);
            finish();
            assert_eq!(stage.load(Ordering::Acquire), 2);
        }
    }

    /// What one thread waits for fails with its tasks; those of another one go on, and so does the first
    /// later.
    #[test]
    fn tasks_of_one_thread_fail_together() {
        let wait = || {
            catching(|| {
                spawn(Box::new(|| fail("a.ta:1:1", &Error::Unsupported("that".to_owned()))));
                help_until(&|| false);
            })
        };
        for _ in 0..100 {
            let failure = wait().expect_err("the task has failed");
            assert_eq!(
                failure.message,
                Failure::new("a.ta:1:1", &Error::Unsupported("that".to_owned())).message
            );
            let has_run = Arc::new(AtomicUsize::new(0));
            let run = Arc::clone(&has_run);
            std::thread::spawn(move || {
                spawn(Box::new(move || {
                    run.store(1, Ordering::Release);
                    wake();
                }));
            });
            help_until(&|| has_run.load(Ordering::Acquire) == 1);
        }
    }
}
