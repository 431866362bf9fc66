//! The process that compiles and runs candidates, as standard input says, a line each:
//!
//! | line | what is done | answer on standard output |
//! |---|---|---|
//! | `{"compile":[3,"order(i, k)"]}` | candidate 3 is compiled | `"done"`, `{"same":1}` where candidate 1 has the same code, with which 3 is run as well, `{"refused":"why"}`, or `{"failed":"why"}` where the compiler has failed |
//! | `{"check":3}` | it is run, and its results become those expected, or are compared with them | as for `run`, or `{"differs":"how"}` |
//! | `{"run":3}` | it is run | what `timed` has it print, then `"done"` |
//!
//! A program that fails ends the process.

use super::compare::Results;
use super::kernels::{KernelCalls, Operands};
use super::timed::{number_of, put_clocks};
use crate::failure::{Failure, FaultClass, Result};
use crate::middle::{self, Checked, Stage};
use crate::session::Session;
use crate::{front, native};
use comet_backend_cpu::native::Jit;
use comet_diag::Source;
use comet_runtime::tensor::Tensor;
use comet_runtime::write::take_written;
use comet_runtime::{options, output};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashMap;
use std::io::BufRead as _;
use std::rc::Rc;
use std::sync::Arc;

/// The candidate that is the program as it is.
pub(crate) const PLAIN: usize = 0;

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Order {
    Compile(usize, String),
    Check(usize),
    Run(usize),
}

/// The last line that answers an order.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Answer {
    Done,
    Same(usize),
    Refused(String),
    Failed(String),
    Differs(String),
}

/// Does what standard input says, to its end.
pub(crate) fn work(session: &Session, source: &Source, operands: Operands<'_>) -> Result<()> {
    let module = front::parse(session, source)?;
    let program = front::check_module(session, &module, source)?;
    let calls = KernelCalls::new(&module, &program, operands);
    let mut worker = Worker { session, source, calls, compiled: HashMap::new(), results: Arc::default() };
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::internal(format!("the worker cannot read: {error}")))?;
        let order = serde_json::from_str(&line);
        let order =
            order.map_err(|_| Failure::internal(format!("the worker does not understand `{line}`")))?;
        output::write(format!("{}\n", json!(worker.answer(&order)?)).as_bytes());
        output::flush();
    }
    Ok(())
}

struct Worker<'a> {
    session: &'a Session,
    source: &'a Source,
    /// The calls of the kernels of a file without `main`.
    calls: KernelCalls,
    compiled: HashMap<usize, Rc<Compiled>>,
    results: Arc<Mutex<Results>>,
}

struct Compiled {
    /// The loops over memory without places, to know the same code by.
    loops: String,
    program: Jit,
}

impl Worker<'_> {
    fn answer(&mut self, order: &Order) -> Result<Answer> {
        match order {
            Order::Compile(number, schedule) => Ok(self.compile(*number, schedule)),
            Order::Check(number) => Ok(self.check(*number)?.map_or(Answer::Done, Answer::Differs)),
            Order::Run(number) => {
                take_written(Some(Box::new(|_, _| {})));
                self.compiled(*number)?.program.run();
                Ok(Answer::Done)
            }
        }
    }

    fn compiled(&self, number: usize) -> Result<&Compiled> {
        let missing = || Failure::internal(format!("candidate {number} is not compiled"));
        self.compiled.get(&number).map(Rc::as_ref).ok_or_else(missing)
    }

    fn compile(&mut self, number: usize, schedule: &str) -> Answer {
        let found = match self.code(schedule) {
            Ok(found) => found,
            Err(failure) if failure.fault == FaultClass::User => {
                return Answer::Refused(failure.first_message());
            }
            Err(failure) => return Answer::Failed(failure.render(comet_diag::Color::Never)),
        };
        let alike = self.compiled.iter().filter(|(_, other)| other.loops == found.loops);
        let first = alike.min_by_key(|(number, _)| **number);
        let same = first.map(|(number, other)| (*number, Rc::clone(other)));
        match same {
            Some((same, other)) => {
                self.compiled.insert(number, other);
                Answer::Same(same)
            }
            None => {
                self.compiled.insert(number, Rc::new(found));
                Answer::Done
            }
        }
    }

    fn code(&self, schedule: &str) -> Result<Compiled> {
        let source = front::with_schedule(self.source.clone(), "--schedule", schedule);
        let mut module = front::parse(self.session, &source)?;
        self.calls.add(&mut module);
        put_clocks(&mut module);
        let program = front::check_module(self.session, &module, &source)?;
        let context = middle::context();
        // Behind this stage, functions that MLIR makes of tasks have their names in any order.
        let checked = Checked { session: self.session, source: &source, program: &program };
        let loops = middle::lower(&context, checked, Stage::Scf)?;
        let loops = middle::print(&loops, middle::Locations::Omit)?;
        let lowered = middle::lower(&context, checked, Stage::Llvm)?;
        let target = native::target(self.session)?;
        let object = native::machine_code(self.session, &lowered, target)?;
        Ok(Compiled { loops, program: Jit::load(&object)? })
    }

    /// Runs a candidate; what of its results is not as expected.
    fn check(&self, number: usize) -> Result<Option<String>> {
        let program = &self.compiled(number)?.program;
        self.results.lock().begin();
        let found: Arc<Mutex<Option<String>>> = Arc::default();
        let (results, report) = (Arc::clone(&self.results), Arc::clone(&found));
        take_written(Some(Box::new(move |tensor: &Tensor, path: &str| {
            let Some(statement) = number_of(path) else { return };
            let mut results = results.lock();
            let problem = match number {
                PLAIN => results.keep(statement, tensor).err(),
                _ => results.difference(statement, tensor),
            };
            if let Some(problem) = problem {
                report.lock().get_or_insert(problem);
            }
        })));
        program.run();
        take_written(None);
        if number == PLAIN {
            options::note_unused_inputs();
        }
        let problem = found.lock().take();
        match (number, problem) {
            (PLAIN, Some(problem)) => {
                let message = format!("the result cannot be kept to compare others with: {problem}");
                Err(Failure::plain(message))
            }
            (_, problem) => Ok(problem),
        }
    }
}
