//! The number of threads, which every parallel loop asks for.

use comet_runtime::options::threads;
use std::fs;

/// Returns how many reads from files this thread has made, the one of this function included.
fn reads() -> u64 {
    let counts = fs::read_to_string("/proc/thread-self/io").expect("Linux counts reads");
    let reads = counts.lines().find_map(|line| line.strip_prefix("syscr: "));
    reads.expect("the counts have reads").parse().expect("it is a number")
}

/// Guards that the CPU limits of the process are read from Linux's files once, not by every parallel loop.
#[test]
fn limits_of_processors_are_read_once() {
    let first = threads();
    let before = reads();
    for _ in 0..1000 {
        assert_eq!(threads(), first);
    }
    let made = reads() - before;
    assert!(made < 100, "{made} reads for 1000 calls");
}
