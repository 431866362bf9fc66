//! Signatures and formats are texts in generated code, which are the same in each call. Each thread parses a
//! text once and keeps the result.

use super::handle::Text;
use crate::error::Error;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use std::str::FromStr;

/// Parsed values, by the addresses of their texts.
pub(super) struct ParsedTexts<T>(RefCell<FxHashMap<*const u8, ParsedText<T>>>);

/// A parsed value with a copy of its text, since another library may have been loaded to the same address.
struct ParsedText<T> {
    text: Box<[u8]>,
    value: Rc<T>,
}

impl<T> Default for ParsedTexts<T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<T: FromStr> ParsedTexts<T>
where
    Error: From<T::Err>,
{
    /// Parses a text, or returns what an earlier call has parsed.
    ///
    /// # Errors
    /// A text that cannot be parsed.
    pub(super) fn of(&self, text: Text) -> Result<Rc<T>, Error> {
        let bytes = text.bytes();
        if let Some(known) = self.0.borrow().get(&bytes.as_ptr())
            && *known.text == *bytes
        {
            return Ok(Rc::clone(&known.value));
        }
        let value = Rc::new(text.get().parse::<T>()?);
        let parsed = ParsedText { text: bytes.into(), value: Rc::clone(&value) };
        self.0.borrow_mut().insert(bytes.as_ptr(), parsed);
        Ok(value)
    }
}
