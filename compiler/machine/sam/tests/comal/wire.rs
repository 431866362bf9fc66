//! The wire format of protobuf, by hand: files whose fields are numbered as tortilla's definition has them,
//! and not as the compiler writes them.

/// A message while it is written.
#[derive(Clone, Default)]
pub(super) struct Wire(Vec<u8>);

impl Wire {
    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push((number as u8 & 0x7f) | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// A number.
    pub(super) fn number(mut self, field: u64, number: u64) -> Self {
        self.varint(field << 3);
        self.varint(number);
        self
    }

    /// A floating-point number.
    pub(super) fn double(mut self, field: u64, number: f64) -> Self {
        self.varint(field << 3 | 1);
        self.0.extend(number.to_le_bytes());
        self
    }

    fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    /// A string.
    pub(super) fn text(self, field: u64, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    /// A message inside.
    pub(super) fn message(self, field: u64, message: Self) -> Self {
        self.bytes(field, &message.0)
    }

    /// A stream of any kind: its identifier is a message of its own.
    pub(super) fn stream(self, field: u64, id: u64) -> Self {
        self.message(field, Wire::default().message(1, Wire::default().number(1, id)))
    }

    /// Streams in a repeated field.
    pub(super) fn streams(self, field: u64, ids: &[u64]) -> Self {
        ids.iter().fold(self, |wire, id| wire.stream(field, *id))
    }
}

/// A message without fields yet.
pub(super) fn wire() -> Wire {
    Wire::default()
}

/// A file of operations, each with the field of its kind.
pub(super) fn file(operations: Vec<(u64, Wire)>) -> Vec<u8> {
    let mut graph = wire().text(1, "by hand");
    for (id, (field, operation)) in operations.into_iter().enumerate() {
        graph = graph.message(2, wire().text(1, "op").number(2, id as u64 + 1).message(field, operation));
    }
    wire().text(1, "comal graph").number(2, 1024).message(3, graph).0
}
