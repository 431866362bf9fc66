//! What texts of generated code state, which are the same in each call: parsed once in a thread.

use crate::error::Error;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::str::FromStr;

/// Values by the addresses of their texts.
pub(super) struct ParsedTexts<T>(RefCell<HashMap<*const u8, ParsedText<T>>>);

/// A value with its text: another library may be at the address since.
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
    /// Those of the parser.
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
