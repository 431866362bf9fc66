//! Blocks in the order in which streams lead through them.

/// Returns blocks, each behind those that lead to it, of so many blocks and the edges between them. Those in
/// a circle, and those behind one, are left out.
pub(crate) fn topological(blocks: usize, edges: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut missing = vec![0_usize; blocks];
    let mut readers = vec![Vec::new(); blocks];
    for (from, to) in edges {
        missing[to] += 1;
        readers[from].push(to);
    }
    let mut order: Vec<usize> = (0..blocks).filter(|&block| missing[block] == 0).collect();
    let mut next = 0;
    while let Some(&block) = order.get(next) {
        for &reader in &readers[block] {
            missing[reader] -= 1;
            if missing[reader] == 0 {
                order.push(reader);
            }
        }
        next += 1;
    }
    order
}
