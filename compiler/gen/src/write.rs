use crate::{Coordinates, Error};
use comet_runtime::destination::Destination;
use comet_runtime::number::write_integer;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};
use std::path::Path;

/// Writes a `.mtx` (Matrix Market, coordinate real general, rank 2) or `.tns` (FROSTT: 1-based, without a
/// header, any rank) file, compressed where the name ends in `.gz`. Values are written so that reading them
/// reads as the same doubles.
///
/// A `.tns` file does not hold the extents: who reads it takes the largest index of each mode. On standard
/// output a matrix is Matrix Market, and any other tensor FROSTT.
///
/// # Errors
/// [`Error::Options`] where the name has another ending or the rank does not fit it; [`Error::NotWritten`]
/// from the system.
pub fn write(to: impl Into<Destination>, tensor: &Coordinates) -> Result<(), Error> {
    let to = to.into();
    let layout = FileLayout::of(&to, tensor.rank())?;
    let is_packed = to.file().is_some_and(|path| has_ending(path, "gz"));
    let store = |mut file: &mut dyn Write| -> io::Result<()> {
        if is_packed {
            // A generated file can be made again: the time to write it matters more than its size.
            let mut gzip = GzEncoder::new(file, Compression::fast());
            write_entries(&mut gzip, layout, tensor)?;
            gzip.finish()?.flush()
        } else {
            write_entries(&mut file, layout, tensor)
        }
    };
    to.write(store).map_err(|source| Error::NotWritten { to, source })
}

#[derive(Clone, Copy)]
enum FileLayout {
    MatrixMarket,
    Frostt,
}

impl FileLayout {
    fn of(to: &Destination, rank: usize) -> Result<Self, Error> {
        let Some(path) = to.file() else {
            return Ok(if rank == 2 { Self::MatrixMarket } else { Self::Frostt });
        };
        let shown = path.display();
        let bare = if has_ending(path, "gz") { path.with_extension("") } else { path.to_owned() };
        if has_ending(&bare, "tns") {
            return Ok(FileLayout::Frostt);
        }
        if !has_ending(&bare, "mtx") {
            return Err(Error::Options(format!(
                "`{shown}` should end in `.mtx`, `.tns`, `.mtx.gz` or `.tns.gz`"
            )));
        }
        if rank != 2 {
            return Err(Error::Options(format!(
                "`{shown}` holds matrices, but this tensor has rank {rank}: write a `.tns` file"
            )));
        }
        Ok(FileLayout::MatrixMarket)
    }
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
}

fn write_entries(file: &mut impl Write, layout: FileLayout, tensor: &Coordinates) -> io::Result<()> {
    /// Large enough that the calls of the system do not count.
    const BUFFER: usize = 1 << 20;
    let mut buffer = Vec::with_capacity(BUFFER + 1024);
    if let FileLayout::MatrixMarket = layout {
        let (rows, columns, entries) = (tensor.dims[0], tensor.dims[1], tensor.len());
        write!(buffer, "%%MatrixMarket matrix coordinate real general\n{rows} {columns} {entries}\n")?;
    }
    for (e, &value) in tensor.values.iter().enumerate() {
        for coordinate in tensor.index(e) {
            write_integer(&mut buffer, coordinate + 1);
            buffer.push(b' ');
        }
        put_value(&mut buffer, value)?;
        buffer.push(b'\n');
        if buffer.len() >= BUFFER {
            file.write_all(&buffer)?;
            buffer.clear();
        }
    }
    file.write_all(&buffer)
}

/// The shortest digits that read back as the same double.
fn put_value(buffer: &mut Vec<u8>, value: f64) -> io::Result<()> {
    let size = value.abs();
    let whole = value == value.trunc() && size < 1e15;
    // A negative zero has no integer.
    if whole && value.is_sign_negative() == (value < 0.0) {
        write_integer(buffer, value as i64);
        return Ok(());
    }
    if (1e-5..1e16).contains(&size) || size == 0.0 {
        write!(buffer, "{value}")
    } else {
        write!(buffer, "{value:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use proptest::prelude::*;
    use std::io::Read;

    fn sample() -> Coordinates {
        Coordinates { dims: vec![3, 12], coords: vec![vec![0, 2], vec![10, 1]], values: vec![-2.5, 88.0] }
    }

    fn written(name: &str, tensor: &Coordinates) -> Vec<u8> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(name);
        write(&path, tensor).expect("writes");
        std::fs::read(path).expect("reads")
    }

    #[test]
    fn matrix_market() {
        let text = written("a.mtx", &sample());
        assert_eq!(text, b"%%MatrixMarket matrix coordinate real general\n3 12 2\n1 11 -2.5\n3 2 88\n");
    }

    #[test]
    fn frostt() {
        assert_eq!(written("a.tns", &sample()), b"1 11 -2.5\n3 2 88\n");
    }

    #[test]
    fn gzip_holds_the_same_bytes() {
        let (packed, plain) = (written("a.mtx.gz", &sample()), written("a.mtx", &sample()));
        let mut unpacked = Vec::new();
        GzDecoder::new(&packed[..]).read_to_end(&mut unpacked).expect("gzip");
        assert_eq!(unpacked, plain);
    }

    #[test]
    fn names_and_ranks_that_do_not_fit_are_refused() {
        let cube = Coordinates { dims: vec![1; 3], coords: vec![vec![]; 3], values: vec![] };
        let message = |name: &str, tensor| write(Path::new(name), tensor).expect_err(name).to_string();
        assert_eq!(message("a.csv", &cube), "`a.csv` should end in `.mtx`, `.tns`, `.mtx.gz` or `.tns.gz`");
        assert_eq!(
            message("a.mtx.gz", &cube),
            "`a.mtx.gz` holds matrices, but this tensor has rank 3: write a `.tns` file"
        );
        assert!(message("no/such/folder/a.tns", &cube).starts_with("cannot write `no/such/folder/a.tns`: "));
    }

    proptest! {
        #[test]
        fn values_read_back(value in any::<f64>().prop_filter("a number", |v| v.is_finite())) {
            let mut text = Vec::new();
            put_value(&mut text, value).expect("writes to memory");
            let text = String::from_utf8(text).expect("ASCII");
            prop_assert_eq!(text.parse::<f64>().expect("a number").to_bits(), value.to_bits(), "{}", text);
            prop_assert!(text.len() <= 24, "{}", text);
        }
    }
}
