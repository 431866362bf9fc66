//! An entry's bytes: what it is, a checksum, then the object.

use super::Key;
use blake3::{Hash, Hasher, OUT_LEN};

/// What an entry begins with; another form gets another number.
const MAGIC: &[u8] = b"comet code 1\n";

pub(super) fn pack(key: &Key, object: &[u8]) -> Vec<u8> {
    [MAGIC, checksum(key, object).as_bytes(), object].concat()
}

/// The object of an entry; `None` where the bytes are not what was written for that key.
pub(super) fn unpack(key: &Key, bytes: &[u8]) -> Option<Vec<u8>> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (stated, object) = rest.split_first_chunk::<OUT_LEN>()?;
    (checksum(key, object) == Hash::from_bytes(*stated)).then(|| object.to_vec())
}

fn checksum(key: &Key, object: &[u8]) -> Hash {
    Hasher::new().update(key.to_string().as_bytes()).update(object).finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each byte counts, and so does the key.
    #[test]
    fn damage_is_seen() {
        let (key, other) = (Key::of_text("a"), Key::of_text("b"));
        let bytes = pack(&key, b"object");
        assert_eq!(unpack(&key, &bytes).as_deref(), Some(&b"object"[..]));
        assert_eq!(unpack(&other, &bytes), None);
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            assert_eq!(unpack(&key, &damaged), None, "{place}");
            assert_eq!(unpack(&key, &bytes[..place]), None, "{place}");
        }
    }
}
