//! Machines: what their files say, how long their units take, and what runs cost.

use crate::draw::Draw;
use crate::notation::statement;
use crate::pack::pack;
use crate::random::case;
use crate::run::{compare_machines, stored_run};
use comet_sam::lower::{Choices, Lowered, lower, lower_with};
use comet_sam::machine::{DataflowMachine, Unit};
use comet_sam::simulate::{Observe, Profiled, SimulationOptions, simulate, simulate_observed};
use comet_sam::storage::{Entry, StoredTensor};
use std::collections::BTreeMap;

/// The product of two vectors of ten elements each, in which all coordinates meet.
fn product() -> (Lowered, BTreeMap<String, StoredTensor>) {
    let statement = statement("x(i) = b(i) * c(i)", &["i".to_owned()]);
    let lowered = lower(&statement).expect("it can be lowered");
    let entries: Vec<Entry> = (0..10_u8).map(|i| (vec![usize::from(i)], f64::from(i + 1).into())).collect();
    let operands = statement.tensors[1..].iter();
    (lowered, operands.map(|format| (format.name.clone(), pack(format, &[10], &entries))).collect())
}

fn options(machine: &str) -> SimulationOptions {
    let machine = DataflowMachine::read(machine).unwrap_or_else(|error| panic!("{error}"));
    let DataflowMachine { queue_depth, skip_depth, memory, timings, .. } = machine;
    SimulationOptions { queue_depth, skip_depth, memory, timings, ..SimulationOptions::default() }
}

fn cycles(machine: &str) -> u64 {
    let (lowered, tensors) = product();
    simulate(lowered.last(), &tensors, options(machine)).expect("it runs").cycles
}

#[test]
fn units_take_the_cycles_of_their_file() {
    let alone = cycles("");
    // Ten elements, a stop and the end go by; each of the five blocks on the way adds a cycle.
    assert_eq!(alone, 17);
    assert_eq!(cycles("[units.multiplier]\nlatency = 5"), alone + 4);
    assert_eq!(cycles("[units.scanner]\nstartup = 7"), alone + 7);
    assert_eq!(cycles("[units.multiplier]\ninterval = 2"), alone + 11);
    assert_eq!(cycles("[units.all]\nlatency = 2"), alone + 4);
    assert_eq!(cycles("[units.all]\nlatency = 2\n[units.array]\nlatency = 1"), alone + 3);
    // What is on its way takes room in a queue.
    assert_eq!(cycles("[queues]\ndepth = 16\n[units.multiplier]\nlatency = 5"), alone + 4);
    assert_eq!(cycles("[queues]\ndepth = 4\n[units.multiplier]\nlatency = 5"), alone + 6);
}

/// The critical path has all cycles, whatever units take.
#[test]
fn critical_paths_have_all_cycles() {
    for machine in
        ["", "[units.all]\nlatency = 3", "[units.array]\nstartup = 50", "[units.multiplier]\ninterval = 3"]
    {
        let (lowered, tensors) = product();
        let observe = Observe { trace: None, profiled: Profiled::All };
        let outcome = simulate_observed(lowered.last(), &tensors, options(machine), &mut |_| {}, observe);
        let outcome = outcome.expect("it runs");
        let profile = outcome.profile.expect("it was asked for");
        assert_eq!(profile.critical.iter().sum::<u64>(), outcome.cycles, "{machine}");
    }
}

/// Blocks on their own take the cycles that they take together, however long units take, and compute the
/// same.
#[test]
fn random_machines_agree() {
    for seed in 1..=300 {
        let mut draw = Draw::seeded(seed);
        let case = case(&mut draw);
        let Ok(lowered) = lower_with(&case.statement, &Choices::default()) else { continue };
        let unit = |unit: Unit| {
            let mut below = |most| draw.below(most);
            let (latency, interval, startup) = (1 + below(4), 1 + below(3), below(5));
            format!(
                "[units.{}]\nlatency = {latency}\ninterval = {interval}\nstartup = {startup}\n",
                unit.name()
            )
        };
        let machine: String = Unit::ALL.into_iter().map(unit).collect();
        let extent = |index: &str| case.extents[index];
        compare_machines(&lowered, &case.tensors, &extent, options(&machine))
            .unwrap_or_else(|fault| panic!("seed {seed}: {}\n{machine}{fault}", case.told()));
    }
}

#[test]
fn runs_cost_what_their_units_do() {
    let (lowered, tensors) = product();
    let file = "clock = \"2GHz\"\n[units.multiplier]\nenergy = 3.0\narea = 100.0\ncount = 1\n\
                [units.scanner]\ncount = 1\n[energy]\non-chip = 0.5\nstatic = 4.0";
    let machine = DataflowMachine::read(file).expect("it is one");
    let outcome = stored_run(lowered.last(), &tensors, options(file));
    let report = machine.costs.of(lowered.last(), &outcome);
    assert_eq!(report.operations, 10);
    // Two scanners put ten coordinates each, two arrays ten values, and the writers take ten of either.
    assert_eq!(report.on_chip_bytes, 2 * 40 + 2 * 80 + 40 + 80);
    assert_eq!(report.dram_bytes, None);
    // The multiplier is busy for ten values, a stop and the end.
    let expected = (12.0 * 3.0 + 360.0 * 0.5) * 1e-12 + 4e-3 * report.seconds;
    assert!((report.energy / expected - 1.0).abs() < 1e-12, "{report}");
    assert!((report.seconds - outcome.cycles as f64 / 2e9).abs() < 1e-20);
    assert!((report.area - 1e-4).abs() < 1e-12);
    let taken: Vec<(Unit, usize, usize)> =
        report.fits.iter().map(|fit| (fit.unit, fit.taken, fit.available)).collect();
    assert_eq!(taken, [(Unit::Scanner, 2, 1), (Unit::Multiplier, 1, 1)]);
    assert!(report.to_string().contains("scanner: 2 of 1, too few"), "{report}");
}

#[test]
fn what_is_wrong_is_told() {
    for (file, expected) in [
        ("[units.mul]\nlatency = 2", "`mul` is no unit, expected `all`, scanner"),
        ("[units.adder]\nlatency = 0", "`adder` has latency 0, interval 1, startup 0, expected 1 to 1048576"),
        ("[units.adder]\nspeed = 1", "unknown field `speed`"),
        (
            "[units.adder]\nenergy = -1.0",
            "`energy` of `adder` is -1, expected a number from 0 to 1000000000000",
        ),
        ("clock = \"fast\"", "found `fast`, expected a clock such as `1GHz`"),
        ("[memory]\ndram = \"hbm9\"", "found `hbm9`, expected `hbm2e`, `ddr4`, or bytes a second"),
        ("[memory]\ndram = 5", "found integer for `dram`, expected `hbm2e`"),
        ("[memory.dram]\nrate = \"1GB/s\"\nspeed = 2", "`dram`: "),
        ("[memory]\nbuffers = 1", "found 1 buffers, expected 2 or more"),
        ("[units.all]\nenergy = 1e308", "expected a number from 0 to"),
        ("[queues]\ndepth = 0", "invalid value"),
        ("[memory", "unclosed"),
    ] {
        let error = DataflowMachine::read(file).expect_err(expected);
        assert!(error.message.contains(expected), "{expected}: {error}");
    }
}

/// Rows that are opened and bursts that are not full take time beside the rate.
#[test]
fn memories_have_rows_and_bursts() {
    let memory =
        |text: &str| DataflowMachine::read(text).expect("it is one").memory.expect("it has a memory");
    let hbm = memory("[memory]\ndram = \"hbm2e\"");
    assert!((hbm.dram - 460.8).abs() < 1e-9);
    let pages = hbm.pages.expect("it has rows");
    assert_eq!((pages.row, pages.burst, pages.banks), (1024, 32, 256));
    assert!((pages.open - 42.0).abs() < 1e-9 && (pages.cycle - 47.0).abs() < 1e-9);
    let at_half = memory("clock = \"500MHz\"\n[memory]\ndram = \"ddr4\"\nlast-level = \"1MiB\"");
    assert!((at_half.dram - 51.2).abs() < 1e-9 && at_half.last_level == 1 << 20);
    let (lowered, tensors) = product();
    let with = |text: &str| {
        let outcome = stored_run(lowered.last(), &tensors, options(text));
        (outcome.cycles, outcome.memory.expect("it has a memory").dram_busy)
    };
    // 4 + 40 + 80 bytes of each operand and of the result: at a byte a cycle, and in bursts of 64 bytes.
    let flat = with("[memory]\ndram = \"1GB/s\"");
    let bursts = "[memory.dram]\nrate = \"1GB/s\"\nrow = \"1KiB\"\nburst = \"64B\"\nbanks = 4\n";
    let rows = with(&format!("{bursts}t-rcd = 10.0\nt-rp = 10.0\nt-cl = 5.0\nt-rc = 40.0"));
    assert_eq!(flat, (384, 384));
    assert_eq!(rows, (3 * 128 + 25, 384));
}
