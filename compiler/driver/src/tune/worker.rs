//! The process that compiles and runs candidates, as standard input says, a line each:
//!
//! | line | what is done | answer on standard output |
//! |---|---|---|
//! | `compile 3 "order(i, k)"` | candidate 3 is compiled | `done`, `same 1` where candidate 1 has the same code, with which 3 is run as well, `refused "why"`, or `failed "why"` where the compiler has failed |
//! | `check 3` | it is run, and its results become those expected, or are compared with them | as for `run`, and `differs "how"` in front of the last line |
//! | `run 3` | it is run | what `timed` has it print, then `done` |
//!
//! Texts are JSON strings, so that they have one line. A program that fails ends the process.

use super::compare::Results;
use super::timed::{number_of, put_clocks};
use crate::arguments::CompileArguments;
use crate::failure::{Failure, FaultClass, Result};
use crate::middle::{self, Stage};
use crate::session::Session;
use crate::{front, native};
use comet_backend_cpu::native::Jit;
use comet_diag::Source;
use comet_runtime::tensor::Tensor;
use comet_runtime::write::take_written;
use comet_runtime::{options, output};
use std::collections::HashMap;
use std::io::BufRead as _;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The candidate that is the program as it is.
pub(crate) const PLAIN: usize = 0;

/// Does what standard input says, to its end.
pub(crate) fn work(arguments: &CompileArguments, session: &Session, source: &Source) -> Result<()> {
    let mut worker = Worker { arguments, session, source, compiled: HashMap::new(), results: Arc::default() };
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::internal(format!("the worker cannot read: {error}")))?;
        let answer = worker.answer(&line)?;
        output::write(format!("{answer}\n").as_bytes());
        output::flush();
    }
    Ok(())
}

struct Worker<'a> {
    arguments: &'a CompileArguments,
    session: &'a Session,
    source: &'a Source,
    compiled: HashMap<usize, Rc<Compiled>>,
    results: Arc<Mutex<Results>>,
}

struct Compiled {
    /// The loops over memory without places, to know the same code by.
    loops: String,
    program: Jit,
}

impl Worker<'_> {
    fn answer(&mut self, line: &str) -> Result<String> {
        let (order, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (number, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let number: usize = number.parse().map_err(|_| misunderstood(line))?;
        match order {
            "compile" => {
                let schedule: String = serde_json::from_str(text).map_err(|_| misunderstood(line))?;
                Ok(self.compile(number, &schedule))
            }
            "check" => {
                let differs = self.check(number)?;
                Ok(differs.map_or_else(String::new, |how| format!("differs {}\n", quoted(&how))) + "done")
            }
            "run" => {
                take_written(Some(Box::new(|_, _| {})));
                self.compiled(number)?.program.run();
                Ok("done".to_owned())
            }
            _ => Err(misunderstood(line)),
        }
    }

    fn compiled(&self, number: usize) -> Result<&Compiled> {
        let missing = || Failure::internal(format!("candidate {number} is not compiled"));
        self.compiled.get(&number).map(Rc::as_ref).ok_or_else(missing)
    }

    fn compile(&mut self, number: usize, schedule: &str) -> String {
        let found = match self.code(schedule) {
            Ok(found) => found,
            Err(failure) if failure.fault == FaultClass::User => {
                return format!("refused {}", quoted(&failure.first_message()));
            }
            Err(failure) => return format!("failed {}", quoted(&failure.render(comet_diag::Color::Never))),
        };
        let alike = self.compiled.iter().filter(|(_, other)| other.loops == found.loops);
        let first = alike.min_by_key(|(number, _)| **number);
        let same = first.map(|(number, other)| (*number, Rc::clone(other)));
        match same {
            Some((same, other)) => {
                self.compiled.insert(number, other);
                format!("same {same}")
            }
            None => {
                self.compiled.insert(number, Rc::new(found));
                "done".to_owned()
            }
        }
    }

    fn code(&self, schedule: &str) -> Result<Compiled> {
        let source = front::with_schedule(self.source.clone(), "--schedule", schedule);
        let mut module = front::parse(self.session, &source)?;
        put_clocks(&mut module);
        let program = front::check_module(self.session, &module, &source)?;
        let context = middle::context();
        // Behind this stage, functions that MLIR makes of tasks have their names in any order.
        let loops = middle::lower(self.session, &context, &program, &source, Stage::Scf)?;
        let loops = middle::print(&loops, middle::Locations::Omit)?;
        let lowered = middle::lower(self.session, &context, &program, &source, Stage::Llvm)?;
        let target = native::target(self.arguments, self.session)?;
        let object = native::machine_code(self.session, &lowered, target)?;
        Ok(Compiled { loops, program: Jit::load(&object)? })
    }

    /// Runs a candidate; what of its results is not as expected.
    fn check(&self, number: usize) -> Result<Option<String>> {
        let program = &self.compiled(number)?.program;
        lock(&self.results).begin();
        let found: Arc<Mutex<Option<String>>> = Arc::default();
        let (results, report) = (Arc::clone(&self.results), Arc::clone(&found));
        take_written(Some(Box::new(move |tensor: &Tensor, path: &str| {
            let Some(statement) = number_of(path) else { return };
            let mut results = lock(&results);
            let problem = match number {
                PLAIN => results.keep(statement, tensor).err(),
                _ => results.difference(statement, tensor),
            };
            if let Some(problem) = problem {
                lock(&report).get_or_insert(problem);
            }
        })));
        program.run();
        take_written(None);
        if number == PLAIN {
            options::note_unused_inputs();
        }
        let problem = lock(&found).take();
        match (number, problem) {
            (PLAIN, Some(problem)) => {
                let message = format!("the result cannot be kept to compare others with: {problem}");
                Err(Failure::plain(message))
            }
            (_, problem) => Ok(problem),
        }
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn misunderstood(line: &str) -> Failure {
    Failure::internal(format!("the worker does not understand `{line}`"))
}
