//! Messages: bytes of each process for each other one.

use super::{Processes, checked};
use crate::error::Error;
use crate::memory::{Plain, bytes_of, bytes_of_mut};
use std::sync::atomic::Ordering;

impl Processes {
    /// Returns the bytes of every process, which has as many, by rank.
    pub(crate) fn of_all(&self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        if bytes.is_empty() {
            return Ok(Vec::new());
        }
        let mut all = vec![0; bytes.len() * self.count];
        self.count_sent(bytes.len() * (self.count - 1));
        checked(self.functions.collect_bytes(bytes, &mut all, self.count))?;
        Ok(all)
    }

    /// Returns the numbers of every process, which has as many, by rank.
    pub(crate) fn numbers_of_all<T: Plain>(&self, own: &[T]) -> Result<Vec<T>, Error> {
        let bytes = self.of_all(bytes_of(own))?;
        let mut numbers = vec![T::default(); own.len() * self.count];
        bytes_of_mut(&mut numbers).copy_from_slice(&bytes);
        Ok(numbers)
    }

    /// Replaces elements by those of the first process, which has as many.
    pub(crate) fn replace<T: Plain>(&self, elements: &mut [T]) -> Result<(), Error> {
        checked(self.functions.replace_bytes(bytes_of_mut(elements), 0))
    }

    /// Sends bytes to each process and receives what it sends, whose lengths are known.
    pub(crate) fn exchange_into(&self, out: &[&[u8]], into: &mut [&mut [u8]]) -> Result<(), Error> {
        let others = out.iter().enumerate().filter(|(process, _)| *process != self.rank);
        self.count_sent(others.map(|(_, bytes)| bytes.len()).sum());
        checked(self.functions.exchange_bytes(out, into))
    }

    /// Sends bytes to each process and returns what it sends, of any length.
    pub(crate) fn exchange(&self, out: &[&[u8]]) -> Result<Vec<Vec<u8>>, Error> {
        let lengths: Vec<u64> = out.iter().map(|bytes| bytes.len() as u64).collect();
        let table = self.numbers_of_all(&lengths)?;
        let expected = (0..self.count).map(|process| table[process * self.count + self.rank] as usize);
        self.exchange_lengths(out, expected.collect())
    }

    /// Does the same where each process knows which others send anything to it: only these send how much.
    pub(crate) fn exchange_between(&self, out: &[&[u8]], sends: &[bool]) -> Result<Vec<Vec<u8>>, Error> {
        let lengths: Vec<u64> = out.iter().map(|bytes| bytes.len() as u64).collect();
        let headers: Vec<&[u8]> = lengths
            .iter()
            .map(|length| if *length > 0 { bytes_of(std::slice::from_ref(length)) } else { &[] })
            .collect();
        let mut expected = vec![0u64; self.count];
        let mut into: Vec<&mut [u8]> =
            expected.iter_mut().map(|length| bytes_of_mut(std::slice::from_mut(length))).collect();
        for (room, sends) in into.iter_mut().zip(sends) {
            if !sends {
                *room = &mut [];
            }
        }
        self.exchange_into(&headers, &mut into)?;
        self.exchange_lengths(out, expected.into_iter().map(|length| length as usize).collect())
    }

    fn exchange_lengths(&self, out: &[&[u8]], expected: Vec<usize>) -> Result<Vec<Vec<u8>>, Error> {
        let mut received: Vec<Vec<u8>> = Vec::new();
        for length in expected {
            received.push(crate::memory::zeroed_vec(length, &"a message of another process")?);
        }
        let mut into: Vec<&mut [u8]> = received.iter_mut().map(Vec::as_mut_slice).collect();
        self.exchange_into(out, &mut into)?;
        Ok(received)
    }

    fn count_sent(&self, bytes: usize) {
        self.sent.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}
