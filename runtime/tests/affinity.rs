//! `COMET_AFFINITY=cores`: workers have a core each, and the thread that waits keeps those that it had.

use comet_runtime::asynchronous::{help_until, spawn};
use std::collections::HashSet;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Names the process that is the test.
const CHILD: &str = "COMET_TEST_AFFINITY";
const THREADS: usize = 3;

/// How many cores a thread may run on.
fn cores() -> usize {
    core_affinity::get_core_ids().expect("the system lists cores").len()
}

/// Two tasks that take long enough for both workers to come to them; the environment is this process's own.
#[test]
fn workers_are_bound() {
    let Ok(affinity) = std::env::var(CHILD) else {
        return ["cores", "none"].into_iter().for_each(|affinity| {
            let mut child = Command::new(std::env::current_exe().expect("a test is a program"));
            child
                .args(["--exact", "affinity::workers_are_bound"])
                .env(CHILD, affinity)
                .env("COMET_AFFINITY", affinity);
            let output = child.env("COMET_NUM_THREADS", THREADS.to_string()).output().expect("it starts");
            assert!(output.status.success(), "{affinity}: {}", String::from_utf8_lossy(&output.stdout));
        });
    };
    let all = cores();
    let (sender, receiver) = mpsc::channel();
    for _ in 1..THREADS {
        let sender = sender.clone();
        spawn(Box::new(move || {
            thread::sleep(Duration::from_millis(200));
            sender.send((thread::current().id(), cores())).expect("somebody waits");
        }));
    }
    // Nobody helps here, so that workers do it all.
    let told: Vec<_> = (1..THREADS).map(|_| receiver.recv().expect("a task ends")).collect();
    let workers: HashSet<_> = told.iter().map(|(thread, _)| *thread).collect();
    assert!(!workers.contains(&thread::current().id()));
    let expected = if affinity == "cores" { 1 } else { all };
    assert!(told.iter().all(|(_, cores)| *cores == expected), "{told:?}");
    help_until(&|| true);
    assert_eq!(cores(), all);
}
