//! Signatures and formats are texts in generated code, which are the same in each call. Each thread parses a
//! text once and keeps the result.

use crate::error::Error;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::str::FromStr;

/// Parsed values, by the addresses of their texts.
pub(super) struct ParsedTexts<T>(RefCell<HashMap<*const u8, ParsedText<T>>>);

/// A parsed value with a copy of its text, since another library may have been loaded to the same address.
struct ParsedText<T> {
    text: Box<str>,
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
    pub(super) fn of(&self, text: &str) -> Result<Rc<T>, Error> {
        if let Some(known) = self.0.borrow().get(&text.as_ptr())
            && *known.text == *text
        {
            return Ok(Rc::clone(&known.value));
        }
        let value = Rc::new(text.parse::<T>()?);
        let parsed = ParsedText { text: text.into(), value: Rc::clone(&value) };
        self.0.borrow_mut().insert(text.as_ptr(), parsed);
        Ok(value)
    }
}
