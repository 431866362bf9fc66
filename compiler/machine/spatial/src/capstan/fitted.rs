//! The numbers of the model that no paper has: fitted to rows of Tables 6 and 7 of stardust.txt, but for the
//! last, which is assumed.

/// How many groups of six operations share a compute unit (Table 6, PCUs).
pub(super) const OPERATIONS_OF_PCU: u64 = 4;

/// Compute units of a transfer between DRAM and an SRAM: addresses on both sides, and what lies across the
/// edges of bursts (Table 6, PCUs).
pub(super) const PCU_OF_TRANSFER: f64 = 3.5;

/// What HBM-2E reaches of its peak: the kernels that wait for nothing but memory are 12.3 times slower with
/// DDR4, of whose bandwidth it has 26 times (Table 7, MatTransMul).
pub(super) const HBM2E_SHARE: f64 = 0.47;

/// Cycles from one launch of a controller to the next, at least (Table 7, MTTKRP and SDDMM, which launch some
/// for each entry).
pub(super) const CYCLES_OF_LAUNCH: f64 = 4.7;

/// Cycles that a line of 512 bits takes to make (Table 7, Plus3, whose rows have two lines).
pub(super) const CYCLES_OF_BIT_LINE: f64 = 3.3;

/// How much longer 16 lanes take at random addresses of 16 banks, though requests are
/// reordered to avoid conflicts (stardust.txt, *Sparse SRAMs*): assumed, and fitted to nothing.
pub(super) const BANK_CONFLICTS: f64 = 1.25;
