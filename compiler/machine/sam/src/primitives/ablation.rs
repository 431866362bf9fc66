//! Which primitives a graph cannot do without: the rows of table 2 of sam.txt.

use crate::arithmetic::Operator;
use crate::graph::{BlockKind, Graph, GraphLevel, Join, Merge, ValuePlacement};
use crate::named::named_enum;

named_enum! {
    /// What a machine may lack, by the names of the table.
    pub enum Removed {
        CompressedScanner = "compressed level scanner",
        Scanners = "compressed and uncompressed level scanners",
        Repeater = "repeater",
        Unioner = "unioner",
        /// Locators are kept: of the operands of an intersecter, dense ones can be located.
        Intersecter = "intersecter, locator kept",
        /// Dense levels need none to meet: all coordinates are there.
        IntersecterAndLocator = "intersecter and locator",
        Adder = "adder",
        Multiplier = "multiplier",
        Reducer = "reducer",
        CoordinateDropper = "coordinate dropper",
        CompressedWriter = "compressed level writer",
        /// Values that are scattered go to levels too.
        LevelWriters = "compressed and uncompressed level writers",
    }
}

impl Removed {
    pub fn loses(self, graph: &Graph) -> bool {
        graph.blocks.iter().any(|block| self.is(graph, &block.kind))
    }

    fn is(self, graph: &Graph, kind: &BlockKind) -> bool {
        match (self, kind) {
            (_, BlockKind::Join(join)) if join.taken_apart().is_some() => false,
            (Self::CompressedScanner, BlockKind::Scanner(scanner)) => scanner.level == GraphLevel::Compressed,
            (Self::Intersecter, BlockKind::Join(join)) => {
                join.how == Merge::Intersect && compressed_operands(graph, join) > 1
            }
            (Self::IntersecterAndLocator, BlockKind::Join(join)) => {
                join.how == Merge::Intersect && compressed_operands(graph, join) > 0
            }
            (Self::Unioner, BlockKind::Join(join)) => join.how == Merge::Union,
            (Self::Adder, BlockKind::Alu(alu)) => matches!(alu.operator, Operator::Add | Operator::Sub),
            (Self::Multiplier, BlockKind::Alu(alu)) => alu.operator == Operator::Mul,
            (Self::CompressedWriter, BlockKind::WriteLevel(write)) => write.level == GraphLevel::Compressed,
            (Self::LevelWriters, BlockKind::WriteValues(write)) => write.places != ValuePlacement::InOrder,
            (Self::Scanners, BlockKind::Scanner(_))
            | (Self::IntersecterAndLocator, BlockKind::Locate(_))
            | (Self::Repeater, BlockKind::Repeat(_))
            | (Self::Reducer, BlockKind::Reduce(_) | BlockKind::Accumulate(_))
            | (Self::CoordinateDropper, BlockKind::Drop { .. })
            | (Self::LevelWriters, BlockKind::WriteLevel(_)) => true,
            _ => false,
        }
    }
}

/// How many operands of a joiner cannot be located.
fn compressed_operands(graph: &Graph, join: &Join) -> usize {
    let is_dense = |name: &str| {
        graph.blocks.iter().any(|block| match &block.kind {
            BlockKind::Scanner(scanner) => {
                scanner.tensor == name && scanner.index == join.index && scanner.level.is_dense()
            }
            _ => false,
        })
    };
    join.operands.iter().filter(|operand| !is_dense(&operand.name)).count()
}
