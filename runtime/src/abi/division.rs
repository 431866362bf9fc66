//! Statements whose tensors are divided among processes. Their local parts are the arguments of a call, as
//! those of a kernel are.

use super::call;
use super::handle::{TensorHandle, Text};
use crate::error::Error;
use comet_abi::distribution::DividedStatement;
use std::cell::RefCell;

/// A statement, and the extents of its labels on this process.
struct Divided {
    extents: Vec<i64>,
}

thread_local! {
    static GIVEN: RefCell<Vec<TensorHandle>> = const { RefCell::new(Vec::new()) };
    static CURRENT: RefCell<Option<Divided>> = const { RefCell::new(None) };
}

exported! {
    fn comet_rt_distribute_tensor(tensor: TensorHandle) {
        GIVEN.with_borrow_mut(|given| given.push(tensor));
        Ok(())
    }

    fn comet_rt_distribute(statement: Text, at: Text) {
        let given = GIVEN.take();
        let statement: DividedStatement = statement.get().parse()?;
        let labels = statement.tensors.iter().flat_map(|tensor| &tensor.labels).max().map_or(0, |last| last + 1);
        let extent = |label| match statement.mode_of(label) {
            Some((place, mode)) => Ok(given[place].get()?.dims[mode]),
            None => Ok(0),
        };
        let extents = (0..labels).map(extent).collect::<Result<_, Error>>()?;
        CURRENT.set(Some(Divided { extents }));
        call::begin_with(given.into_iter().map(Some).collect());
        Ok(())
    }

    fn comet_rt_local_extent(label: i64) -> i64 {
        let extent = CURRENT.with_borrow(|current| current.as_ref()?.extents.get(label as usize).copied());
        extent.ok_or_else(|| Error::Internal(format!("the statement has no label {label}")))
    }

    fn comet_rt_collect(at: Text) {
        call::end();
        CURRENT.set(None);
        Ok(())
    }
}
