//! Parts of long files, for processes that read one each. Where a part is not as expected, there is none, and
//! the file is read as a whole: so errors are the same on any number of processes.

use super::bytes::{cut_line, is_gzip, long_start};
use super::field::FileValue;
use super::{FileKind, ReadOptions, foreign, market, npy, tns, triangle};
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::memory::{check_available, zeroed_vec};
use crate::values::with_type;
use comet_format::{ValueKind, ValueType};
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{BufReader, Read};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Bytes that are unpacked at once.
const STEP: u64 = 1 << 20;

/// A file that is neither short nor a pipe.
pub(crate) struct LongFile<'a> {
    pub(super) path: &'a Path,
    pub(super) file: File,
    kind: FileKind,
    is_packed: bool,
    /// What it begins with: of a text, whole lines.
    pub(super) head: Vec<u8>,
    /// The bytes of the file, packed as it is.
    pub(super) length: u64,
}

/// Lines of a text.
pub(crate) struct TextPart {
    /// Where they begin.
    pub(crate) start: u64,
    pub(crate) bytes: Vec<u8>,
}

/// Which part of a file: its number, and how many there are.
pub(crate) type PartNumber = (usize, usize);

/// The entries of a part of a file.
pub(crate) struct FilePart {
    /// The extents are those of the file, or the largest indices of the part.
    pub(crate) entries: CoordinateTensor,
    pub(crate) checks: PartChecks,
}

/// What all parts of a file together are checked for.
pub(crate) enum PartChecks {
    Market {
        /// The lines of the part that are entries, and those that the header states for the file.
        lines: [u64; 2],
        /// Whether a file that is to store one triangle has entries below the diagonal in the part, and
        /// above.
        sides: [bool; 2],
    },
    Tns(tns::TnsChecks),
    /// The elements of an array, whose number is that of the file.
    Elements,
}

impl<'a> LongFile<'a> {
    /// Opens a file, if it is one that is read in parts.
    pub(crate) fn open(path: &'a Path, options: &ReadOptions) -> Result<Option<Self>, Error> {
        // A truth is made of any number.
        if options.rank == Some(0) || options.value.row().kind == ValueKind::Truth {
            return Ok(None);
        }
        let Some((mut head, length)) = long_start(path)? else { return Ok(None) };
        let is_packed = is_gzip(&head);
        if is_packed {
            let mut unpacked = vec![0; STEP as usize];
            let read = read_fully(&mut MultiGzDecoder::new(&head[..]), &mut unpacked);
            unpacked.truncate(read);
            head = unpacked;
        }
        if foreign::found(&head).is_some() {
            return Ok(None);
        }
        let kind = FileKind::of(path, &head)?;
        let is_text = matches!(kind, FileKind::Market | FileKind::Tns);
        if !is_text && (is_packed || kind != FileKind::Npy) {
            return Ok(None);
        }
        if is_text {
            cut_line(&mut head);
        }
        let file = File::open(path).map_err(|error| Error::read(path, error))?;
        Ok(Some(Self { path, file, kind, is_packed, head, length }))
    }

    /// Whether it is a text that must be unpacked from its beginning on.
    pub(crate) fn is_packed(&self) -> bool {
        self.is_packed
    }

    /// Whether its header states no extents.
    pub(crate) fn is_tns(&self) -> bool {
        self.kind == FileKind::Tns
    }

    /// Reads one of several parts of a text: the lines that begin in its share of the bytes. None of a file
    /// that is no text.
    pub(crate) fn text(&self, (part, parts): PartNumber) -> Result<Option<TextPart>, Error> {
        if self.kind == FileKind::Npy {
            return Ok(None);
        }
        let share = |part: usize| (u128::from(self.length) * part as u128 / parts as u128) as u64;
        let (start, end) = (self.line_from(share(part))?, self.line_from(share(part + 1))?);
        Ok(Some(TextPart { start, bytes: self.bytes(start..end)? }))
    }

    fn bytes(&self, range: Range<u64>) -> Result<Vec<u8>, Error> {
        let what = format!("a part of `{}`", self.path.display());
        let mut bytes = zeroed_vec((range.end - range.start) as usize, &what)?;
        self.file.read_exact_at(&mut bytes, range.start).map_err(|error| Error::read(self.path, error))?;
        Ok(bytes)
    }

    /// Returns where the first line begins that begins at an offset or behind it.
    fn line_from(&self, offset: u64) -> Result<u64, Error> {
        if offset == 0 {
            return Ok(0);
        }
        let mut buffer = vec![0; 1 << 16];
        // The byte before the offset ends a line where one begins there.
        let mut place = offset - 1;
        while place < self.length {
            let read =
                self.file.read_at(&mut buffer, place).map_err(|error| Error::read(self.path, error))?;
            if read == 0 {
                break;
            }
            if let Some(end) = memchr::memchr(b'\n', &buffer[..read]) {
                return Ok((place + end as u64 + 1).min(self.length));
            }
            place += read as u64;
        }
        Ok(self.length)
    }

    /// The text of a packed file, from its beginning on.
    pub(crate) fn unpacked(&self) -> Result<Unpacked<'_>, Error> {
        let file = File::open(self.path).map_err(|error| Error::read(self.path, error))?;
        let decoder = MultiGzDecoder::new(BufReader::new(Counted { file, read: 0 }));
        Ok(Unpacked { of: self, decoder, rest: Vec::new() })
    }

    /// The entries of a part. `text` has its lines, where the file is a text.
    pub(crate) fn entries(
        &self,
        text: Option<&TextPart>,
        options: &ReadOptions,
        part: PartNumber,
    ) -> Result<Option<FilePart>, Error> {
        let read = with_type!(options.value, T => self.entries_of::<T>(text, options, part))?;
        let Some(mut part) = read else { return Ok(None) };
        part.entries = triangle::keep(options.triangle, part.entries, self.path)?;
        Ok(Some(part))
    }

    fn entries_of<V: FileValue>(
        &self,
        text: Option<&TextPart>,
        options: &ReadOptions,
        part: PartNumber,
    ) -> Result<Option<FilePart>, Error> {
        match (self.kind, text) {
            (FileKind::Market, Some(text)) => {
                market::read_part::<V>(self.path, &self.head, text, (options.rank, options.value))
            }
            (FileKind::Tns, Some(text)) => tns::read_part::<V>(self.path, &self.head, text, options),
            (FileKind::Npy, _) => {
                npy::read_part::<V>(self, part, (options.rank, options.value), |range| self.bytes(range))
            }
            _ => Ok(None),
        }
    }
}

/// A text that is being unpacked.
pub(crate) struct Unpacked<'a> {
    of: &'a LongFile<'a>,
    decoder: MultiGzDecoder<BufReader<Counted>>,
    /// The beginning of a line, which belongs to the next part.
    rest: Vec<u8>,
}

/// A file, and how many of its bytes were read.
struct Counted {
    file: File,
    read: u64,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.read += read as u64;
        Ok(read)
    }
}

impl Unpacked<'_> {
    /// Returns the lines of the next of several parts, of about the same number of packed bytes; `None` where
    /// the data are damaged.
    pub(crate) fn part(&mut self, (part, parts): PartNumber) -> Result<Option<Vec<u8>>, Error> {
        let share = (u128::from(self.of.length) * (part as u128 + 1) / parts as u128) as u64;
        let is_last = part + 1 == parts;
        let mut text = std::mem::take(&mut self.rest);
        loop {
            let before = text.len();
            match self.decoder.by_ref().take(STEP).read_to_end(&mut text) {
                Err(_) => return Ok(None),
                Ok(0) => return Ok(Some(text)),
                Ok(_) => {}
            }
            check_available(text.len(), &format!("a part of `{}`", self.of.path.display()))?;
            if is_last || self.decoder.get_ref().get_ref().read < share {
                continue;
            }
            if let Some(end) = memchr::memrchr(b'\n', &text[before..]) {
                self.rest = text.split_off(before + end + 1);
                return Ok(Some(text));
            }
        }
    }
}

/// Reads until a buffer is full, or as much as there is.
fn read_fully(from: &mut impl Read, buffer: &mut [u8]) -> usize {
    let mut count = 0;
    while let Ok(read) = from.read(&mut buffer[count..]) {
        if read == 0 {
            break;
        }
        count += read;
    }
    count
}

/// What a part holds of a header that begins the text and ends at an offset.
pub(super) fn behind_header(text: &TextPart, body: usize) -> &[u8] {
    let header = (body as u64).saturating_sub(text.start).min(text.bytes.len() as u64);
    &text.bytes[header as usize..]
}

/// How values are read: the rank that is expected, and their type.
pub(super) type Expected = (Option<usize>, ValueType);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read_file;
    use crate::values::ValueColumn;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write as _;

    const ENTRIES: usize = 60_000;

    /// Entries of a matrix of 900 by 700 in no order, as lines.
    fn lines() -> String {
        lines_of(|row, column, value| format!("{row} {column} {value}\n"))
    }

    fn lines_of(line: impl Fn(usize, usize, f64) -> String) -> String {
        let entry =
            |entry: usize| line(entry * 7919 % 900 + 1, entry * 104_729 % 700 + 1, entry as f64 / 8.0);
        (0..ENTRIES).map(entry).collect()
    }

    fn parts(path: &Path, count: usize) -> Vec<FilePart> {
        let options = ReadOptions { rank: Some(2), ..ReadOptions::default() };
        let file = LongFile::open(path, &options).unwrap().expect("the file is long");
        let mut unpacked = file.unpacked().unwrap();
        let mut start = 0;
        let part = |number| {
            let text = match file.is_packed() {
                false => file.text((number, count)).unwrap(),
                true => {
                    let bytes = unpacked.part((number, count)).unwrap().expect("the data are sound");
                    start += bytes.len() as u64;
                    Some(TextPart { start: start - bytes.len() as u64, bytes })
                }
            };
            file.entries(text.as_ref(), &options, (number, count)).unwrap().expect("the part is sound")
        };
        (0..count).map(part).collect()
    }

    /// All parts together have the entries of the file, in its order.
    fn check(name: &str, content: &[u8]) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        let options = ReadOptions { rank: Some(2), ..ReadOptions::default() };
        let whole = read_file(&path, &options).unwrap();
        let ValueColumn::F64(expected) = &whole.values else { panic!("the values are `double`") };
        for count in [1, 2, 3, 7, 64] {
            let (mut coords, mut values) = (vec![Vec::new(); 2], Vec::new());
            for part in parts(&path, count) {
                coords.iter_mut().zip(part.entries.coords).for_each(|(column, own)| column.extend(own));
                let ValueColumn::F64(own) = part.entries.values else { panic!("the values are `double`") };
                values.extend(own);
            }
            assert_eq!((&coords, &values), (&whole.coords, expected), "{name} in {count} parts");
        }
    }

    fn packed(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn parts_of_texts_are_the_whole() {
        let header = "%%MatrixMarket matrix coordinate real general\n% a comment\n";
        let matrix = format!("{header}900 700 {ENTRIES}\n{}", lines());
        check("a.mtx", matrix.as_bytes());
        check("a.mtx.gz", &packed(matrix.as_bytes()));
        let tensor = format!("# a comment\n{}", lines());
        check("a.tns", tensor.as_bytes());
        check("a.tns.gz", &packed(tensor.as_bytes()));
    }

    /// Texts as other programs write them: parts are read by the same rules as the whole.
    #[test]
    fn parts_of_texts_of_others_are_the_whole() {
        let fortran = lines_of(|row, column, value| format!("\t{row} {column}  {value:?}D-01 \n"));
        let unsigned = lines_of(|row, column, value| format!(" {row}\t{column} {}\n\n", value.trunc()));
        let banner = "  %%MatrixMarket matrix coordinate";
        let sizes = format!("\t% c\n\n  900 700 {ENTRIES}\n");
        let matrix = format!("\u{feff}\n{banner} real general\n{sizes}{fortran}");
        check("a.mtx", matrix.as_bytes());
        check("a.mtx", matrix.replace('\n', "\r\n").as_bytes());
        check("a.mtx", format!("{banner} unsigned-integer general\n{sizes}{unsigned}").as_bytes());
        check("a.tns", format!("\u{feff}{fortran}").as_bytes());
        check("a.tns.gz", &packed(format!("\u{feff} # c\r\n{fortran}").as_bytes()));
    }

    /// Guards that a part with a wrong line is refused: then all processes read the whole file and report it.
    #[test]
    fn parts_with_lines_that_are_wrong_are_none() {
        let banner = "%%MatrixMarket matrix coordinate real general";
        for wrong in ["1 1", "1 1 1,5", "0 1 1.5", "901 1 1.5", "1 1 1e400", "1 1 1.5D", "% c", "1 1 1 1"] {
            let body = lines().replacen("\n", &format!("\n{wrong}\n"), 1);
            let text = format!("{banner}\n900 700 {}\n{body}", ENTRIES + 1);
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.mtx");
            std::fs::write(&path, text).unwrap();
            let options = ReadOptions { rank: Some(2), ..ReadOptions::default() };
            assert!(read_file(&path, &options).is_err(), "{wrong}");
            let file = LongFile::open(&path, &options).unwrap().expect("the file is long");
            let text = file.text((0, 3)).unwrap();
            assert!(file.entries(text.as_ref(), &options, (0, 3)).unwrap().is_none(), "{wrong}");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mtx");
        std::fs::write(&path, format!("<html>\n{}", lines())).unwrap();
        assert!(LongFile::open(&path, &ReadOptions::default()).unwrap().is_none());
    }

    #[test]
    fn parts_of_arrays_are_the_whole() {
        for order in ["False", "True"] {
            let header = format!("{{'descr': '<f8', 'fortran_order': {order}, 'shape': (300, 200), }}");
            let mut file =
                [npy::MAGIC, &[1, 0], &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat();
            (0..ENTRIES).for_each(|element| file.extend((element as f64 / 4.0).to_le_bytes()));
            check("a.npy", &file);
        }
    }
}
