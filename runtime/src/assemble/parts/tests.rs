use super::*;
use crate::assemble::{begin as begin_whole, end as end_whole, grow, workspace};
use crate::tensor::IndexArray;
use crate::tensor::LevelStorage;
use crate::values::Values;

const ROWS: usize = 3000;

fn tensor(format: &str, dims: &[i64]) -> Tensor {
    let mut tensor = Tensor::new("T", format.parse().unwrap());
    tensor.dims = dims.to_vec();
    begin_whole(&mut tensor).unwrap();
    tensor
}

fn dense_rows() -> Tensor {
    tensor("f64 i32 (0 : CU, 1 : CU, 2 : D)", &[ROWS as i64, 16, 2])
}

fn csr() -> Tensor {
    tensor("f64 i32 (0 : D, 1 : CU)", &[ROWS as i64, 16])
}

/// The coordinates of a row; some rows have none.
fn columns(row: usize) -> impl Iterator<Item = usize> {
    (0..row % 4).map(move |number| 3 * number + row % 5)
}

fn set(array: &mut IndexArray, place: usize, number: usize) {
    match array {
        IndexArray::I32(array) => array[place] = number as i32,
        IndexArray::I64(array) => array[place] = number as i64,
    }
}

fn set_value(tensor: &mut Tensor, place: usize, value: usize) {
    let Values::F64(values) = &mut tensor.values else { panic!("the values are `double`") };
    values[place] = value as f64;
}

/// What generated code does with rows whose second level is the values' parent.
fn append_dense_rows(tensor: &mut Tensor, rows: Range<usize>) -> [i64; 2] {
    let (mut row_count, mut count) = (0, 0);
    for row in rows {
        let before = count;
        if tensor.levels[0].crd.len() <= row_count {
            grow(tensor, 0, row_count).unwrap();
        }
        for column in columns(row) {
            if tensor.levels[1].crd.len() <= count {
                grow(tensor, 1, count).unwrap();
            }
            set(&mut tensor.levels[1].crd, count, column);
            set_value(tensor, 2 * count, row);
            set_value(tensor, 2 * count + 1, column);
            count += 1;
        }
        set(&mut tensor.levels[1].pos, row_count + 1, count);
        if count > before {
            set(&mut tensor.levels[0].crd, row_count, row);
            row_count += 1;
        }
    }
    set(&mut tensor.levels[0].pos, 1, row_count);
    [row_count as i64, count as i64]
}

/// The same with all rows. Of those without entries, nothing is stored.
fn append_csr(tensor: &mut Tensor, rows: Range<usize>) -> [i64; 1] {
    let mut count = 0;
    for row in rows {
        for column in columns(row) {
            if tensor.levels[1].crd.len() <= count {
                grow(tensor, 1, count).unwrap();
            }
            set(&mut tensor.levels[1].crd, count, column);
            set_value(tensor, count, row + column);
            count += 1;
            set(&mut tensor.levels[1].pos, row + 1, count);
        }
    }
    [count as i64]
}

/// What a task does between claiming a part and completing it.
fn fill(whole: &Tensor, number: usize, append: impl FnOnce(&mut Tensor)) {
    part(whole, number).unwrap();
    let parts = parts(whole).unwrap();
    let mut own = parts.state.lock().running.remove(&number).unwrap();
    append(own.get_mut());
    parts.state.lock().running.insert(number, own);
}

fn rows_of(number: usize, count: usize) -> Range<usize> {
    ROWS * number / count..ROWS * (number + 1) / count
}

fn complete_dense_rows(whole: &Tensor, number: usize, count: usize) {
    let rows = rows_of(number, count);
    let mut counts = [0; 2];
    fill(whole, number, |part| counts = append_dense_rows(part, rows.clone()));
    end_part(whole, number, rows.start as i64..rows.end as i64, &counts).unwrap();
}

fn assert_same(found: &Tensor, expected: &Tensor) {
    let numbers = |array: &IndexArray| array.iter().collect::<Vec<i64>>();
    for (LevelStorage { pos, crd }, level) in found.levels.iter().zip(&expected.levels) {
        assert_eq!(numbers(pos), numbers(&level.pos));
        assert_eq!(numbers(crd), numbers(&level.crd));
    }
    let (Values::F64(found), Values::F64(expected)) = (&found.values, &expected.values) else {
        panic!("the values are `double`")
    };
    assert_eq!(found[..], expected[..]);
}

fn expected_dense_rows() -> Tensor {
    let mut tensor = dense_rows();
    let counts = append_dense_rows(&mut tensor, 0..ROWS);
    end_whole(&mut tensor, &counts).unwrap();
    tensor
}

/// Parts wait for those before them, not their tasks; the memory of one that is in the whole goes on.
#[test]
fn parts_that_are_complete_out_of_order_are_joined_in_order() {
    let mut whole = dense_rows();
    begin(&mut whole, 5).unwrap();
    assert_eq!([0; 5].map(|_| claim(&whole).unwrap()), [0, 1, 2, 3, 4]);
    assert!(claim(&whole).is_err());
    // How many wait for others, and how many have been made.
    for (number, expected) in [(3, [1, 1]), (1, [2, 2]), (0, [1, 3]), (4, [2, 3]), (2, [0, 3])] {
        complete_dense_rows(&whole, number, 5);
        let state = parts(&whole).unwrap().state.lock();
        let waiting = state.waiting.len();
        assert_eq!([waiting, waiting + state.placed.len() + state.free.len()], expected);
    }
    end(&mut whole).unwrap();
    assert_same(&whole, &expected_dense_rows());
}

/// No room has been made in the whole: it grows while other threads copy into it.
#[test]
fn the_whole_grows_while_parts_are_copied() {
    const PARTS: usize = 200;
    let mut whole = dense_rows();
    begin(&mut whole, PARTS).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let whole = &whole;
            scope.spawn(move || {
                for _ in 0..PARTS / 4 {
                    complete_dense_rows(whole, claim(whole).unwrap(), PARTS);
                }
            });
        }
    });
    end(&mut whole).unwrap();
    assert_same(&whole, &expected_dense_rows());
}

/// Positions are in the array of the whole from the beginning; the first part and the third have no rows.
#[test]
fn parts_of_a_dense_outermost_level_have_some_of_its_positions() {
    let mut expected = csr();
    let counts = append_csr(&mut expected, 0..ROWS);
    end_whole(&mut expected, &counts).unwrap();
    let mut whole = csr();
    begin(&mut whole, 4).unwrap();
    for (number, rows) in [(0, 0..0), (3, 1000..ROWS), (2, 1000..1000), (1, 0..1000)] {
        let mut counts = [0];
        fill(&whole, number, |part| counts = append_csr(part, rows.clone()));
        end_part(&whole, number, rows.start as i64..rows.end as i64, &counts).unwrap();
    }
    end(&mut whole).unwrap();
    assert_same(&whole, &expected);
}

/// The part with the first entry that 32 bits cannot count reports the error; nobody waits for it.
#[test]
fn a_part_that_fails_holds_up_no_other_one() {
    let mut whole = csr();
    begin(&mut whole, 3).unwrap();
    for number in 0..3 {
        fill(&whole, number, |_| ());
    }
    end_part(&whole, 2, 10..ROWS as i64, &[0]).unwrap();
    let message = end_part(&whole, 0, 0..5, &[1 << 31]).unwrap_err().to_string();
    assert_eq!(
        message,
        "`T` needs the index 2147483648, which 32 bits cannot hold; declare it with `index=i64`"
    );
    end_part(&whole, 1, 5..10, &[0]).unwrap();
    assert_eq!(end(&mut whole).unwrap_err().to_string(), "internal: no task has part 0 of `T`");
}

/// In the order in which they are asked for: only the same one is as empty as its next user expects.
#[test]
fn a_part_has_the_workspaces_of_the_last_use_of_its_memory() {
    let mut whole = csr();
    begin(&mut whole, 2).unwrap();
    let workspaces = |part: &mut Tensor| {
        let [first, second] = [0; 2].map(|_| workspace::<f64>(part, &[4]).unwrap().0);
        assert_ne!(first, second);
        [first as usize, second as usize]
    };
    let mut found = Vec::new();
    for number in 0..2 {
        fill(&whole, number, |part| found.push(workspaces(part)));
        end_part(&whole, number, number as i64..number as i64 + 1, &[0]).unwrap();
    }
    assert_eq!(found[0], found[1]);
}
