//! Files that each process reads a part of: entries go to the processes that get their rows.

use super::entries::{own_rows, partition_for};
use super::placement::Placement;
use super::{Processes, divided_from, processes};
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::load::take_extents;
use crate::memory::zeroed_vec;
use crate::options::TnsForm;
use crate::read::{
    FileExtents, FilePart, FileTensor, LongFile, PartChecks, ReadOptions, TextPart, cache, read_extents,
};
use crate::slices;
use crate::tensor::Tensor;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

/// Checks that all processes find a file of the same length under a path. One that finds none reports that
/// when it reads it.
///
/// # Errors
/// Two processes find files of different lengths.
pub(crate) fn check_same_file(path: &Path) -> Result<(), Error> {
    let Some(processes) = processes().filter(|processes| processes.count > 1) else { return Ok(()) };
    let own = length(path).map_or(-1, |length| length as i64);
    let lengths = processes.numbers_of_all(&[own])?;
    let first = lengths[0];
    let other = lengths.iter().position(|&length| length != first && length >= 0 && first >= 0);
    let Some(process) = other else { return Ok(()) };
    Err(Error::Shape(format!(
        "`{}` has {first} bytes where the first process finds it, and {} where process {process} does: all \
         are to find the same file",
        path.display(),
        lengths[process]
    )))
}

/// The length of a file as it is when it is opened: other systems may remember an older one. `None` for what
/// is no file, or cannot be read.
fn length(path: &Path) -> Option<u64> {
    let is_file = fs::metadata(path).ok()?.is_file();
    is_file.then(|| File::open(path).ok()?.metadata().ok()).flatten().map(|metadata| metadata.len())
}

/// Reads the rows of this process, if the file and the tensor permit it: returns their entries, and places
/// the tensor. The mode of the outermost level is divided, with about as many entries for each process.
pub(crate) fn read_rows(
    tensor: &mut Tensor,
    path: &Path,
    options: &ReadOptions,
) -> Result<Option<CoordinateTensor>, Error> {
    let Some(processes) = processes().filter(|processes| processes.count > 1) else { return Ok(None) };
    let mode = (0..tensor.dims.len()).find(|mode| slices::level_of(tensor, *mode) == Some(0));
    let Some(mode) = mode else { return Ok(None) };
    let Some((part, extents)) = read_part(path, options, processes)? else { return Ok(None) };
    let mut file = FileTensor { entries: part.entries, at_least: extents.at_least };
    file.entries.dims = extents.dims;
    take_extents(tensor, &file.stated_extents(), path)?;
    let mut entries = file.entries;
    entries.dims.clone_from(&tensor.dims);
    if entries.dims[mode] < divided_from().max(processes.count) as i64 {
        return Ok(None);
    }
    let partition = partition_for(tensor, &entries, mode, processes)?;
    let entries = own_rows(entries, mode, &partition, processes)?;
    tensor.dims[mode] = entries.dims[mode];
    tensor.placement = Placement::by_rows(mode, Arc::new(partition));
    Ok(Some(entries))
}

/// The extents of a file that is read as a tensor of that rank. A `.tns` file does not state them: each
/// process looks at its part.
pub(crate) fn file_extents(path: &Path, rank: usize, form: TnsForm) -> Result<FileExtents, Error> {
    let options = ReadOptions { rank: Some(rank), tns: form, ..ReadOptions::default() };
    let Some(processes) = processes().filter(|processes| processes.count > 1) else {
        return read_extents(path, rank, form);
    };
    check_same_file(path)?;
    if let Some(known) = cache::extents(path, &options) {
        return Ok(known);
    }
    let is_tns = LongFile::open(path, &options)?.is_some_and(|file| file.is_tns());
    match is_tns.then(|| read_part(path, &options, processes)).transpose()?.flatten() {
        Some((_, extents)) => {
            cache::keep_extents(path, &options, extents.clone());
            Ok(extents)
        }
        None => read_extents(path, rank, form),
    }
}

/// Reads the part of this process, and agrees with the others on the extents. `None` where the file is read
/// as a whole: it is short, or of a kind of which no parts are read, or something in it is wrong.
fn read_part(
    path: &Path,
    options: &ReadOptions,
    processes: &Processes,
) -> Result<Option<(FilePart, FileExtents)>, Error> {
    let Some(file) = LongFile::open(path, options)? else { return Ok(None) };
    let text = match file.is_packed() {
        true => scattered(&file, processes)?,
        false => file.text((processes.rank, processes.count))?,
    };
    let part = file.entries(text.as_ref(), options, (processes.rank, processes.count))?;
    drop(text);
    let extents = agreed(part.as_ref(), options.rank.unwrap_or_default(), processes)?;
    Ok(part.zip(extents))
}

/// The lines of this process in a packed text, which the first process unpacks. `None` where that fails.
fn scattered(file: &LongFile<'_>, processes: &Processes) -> Result<Option<TextPart>, Error> {
    let is_first = processes.rank == 0;
    let mut unpacked = is_first.then(|| file.unpacked()).transpose()?;
    let (mut own, mut start) = (None, 0);
    for process in 0..processes.count {
        let part = unpacked.as_mut().map(|unpacked| unpacked.part((process, processes.count)));
        let part = part.transpose()?.flatten();
        // What the first process has: how many bytes, or none.
        let mut length = [part.as_ref().map_or(-1, |part| part.len() as i64)];
        processes.replace(&mut length)?;
        let Ok(length) = usize::try_from(length[0]) else { return Ok(None) };
        let mut bytes: Vec<u8> = match processes.rank == process {
            true => zeroed_vec(length, &"a part of a file")?,
            false => Vec::new(),
        };
        let (mut out, mut into) = (vec![&[][..]; processes.count], Vec::new());
        into.resize_with(processes.count, || &mut [][..]);
        if let Some(part) = &part {
            out[process] = part;
        }
        into[0] = &mut bytes;
        processes.exchange_into(&out, &mut into)?;
        if processes.rank == process {
            own = Some(TextPart { start, bytes });
        }
        start += length as u64;
    }
    Ok(own)
}

/// What all processes have found; `None` where it is not as expected, so that the file is read as a whole.
fn agreed(part: Option<&FilePart>, rank: usize, processes: &Processes) -> Result<Option<FileExtents>, Error> {
    let mut own = [[0; 4].as_slice(), &vec![0; rank]].concat();
    if let Some(part) = part {
        own[0] = 1;
        let [first, second, third] = match &part.checks {
            PartChecks::Market { lines: [found, _], sides } => {
                [*found, u64::from(sides[0]), u64::from(sides[1])]
            }
            PartChecks::Tns(checks) => {
                let [found, zeros] = checks.numbers();
                [found, zeros, 0]
            }
            PartChecks::Elements => [0; 3],
        };
        own[1..4].copy_from_slice(&[first, second, third]);
        own[4..].iter_mut().zip(&part.entries.dims).for_each(|(own, extent)| *own = *extent as u64);
    }
    let all = processes.numbers_of_all(&own)?;
    let each = || all.chunks(own.len());
    let sum = |number: usize| -> u64 { each().map(|numbers| numbers[number]).sum() };
    let Some(part) = part.filter(|_| sum(0) == processes.count as u64) else { return Ok(None) };
    let dims = match &part.checks {
        PartChecks::Market { lines: [_, stated], .. } => {
            let is_as_stated = sum(1) == *stated && (sum(2) == 0 || sum(3) == 0);
            is_as_stated.then(|| part.entries.dims.clone())
        }
        PartChecks::Tns(checks) => {
            let largest = |mode| each().map(|numbers| numbers[4 + mode] as i64).max().unwrap_or(-1);
            let largest: Vec<i64> = (0..rank).map(largest).collect();
            checks.extents([sum(1), sum(2)], &largest)
        }
        PartChecks::Elements => Some(part.entries.dims.clone()),
    };
    let at_least = matches!(part.checks, PartChecks::Tns(_));
    Ok(dims.map(|dims| FileExtents { dims, at_least }))
}
