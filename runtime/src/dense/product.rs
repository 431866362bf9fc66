//! A contraction of two dense tensors as products of matrices: which labels are rows, columns and what is
//! summed over.

use super::gemm::{self, Float, GemmMatrix, GemmSizes, MatrixMut, Strides};
use super::permute::DenseWalk;
use super::{Mode, SMALL, for_each_chunk, modes};
use crate::error::Error;
use crate::tensor::Tensor;
use comet_format::LevelExpr;

/// From this many products of matrices for each thread on, each product has one thread.
const PRODUCTS_PER_THREAD: usize = 4;

/// What becomes of the product.
#[derive(Clone, Copy, Debug)]
pub struct Scale<V> {
    /// It is multiplied by this,
    pub alpha: V,
    /// and added to what the output holds, or written over it.
    pub accumulates: bool,
}

/// `output = alpha * left * right`, or `output += …`, on so many threads. `labels` has a letter for each mode
/// of the three: `ik,kj->ij`. Results do not depend on the number of threads.
///
/// # Errors
/// Operands that are no matrices (`ta.gemm` says what they are), or do not fit each other: a mistake of the
/// compiler.
pub fn multiply<V: Float>(
    [left, right]: [&Tensor; 2],
    output: &mut Tensor,
    labels: &str,
    scale: Scale<V>,
    threads: usize,
) -> Result<(), Error> {
    let product = MatrixProduct::new([left, right, output], labels).ok_or_else(|| {
        Error::Internal(format!("`{labels}` is no product of matrices in `{}`", output.name))
    })?;
    let arrays = (V::array(&left.values), V::array(&right.values), V::array_mut(&mut output.values));
    let (Some(left), Some(right), Some(output)) = arrays else {
        return Err(Error::Internal(format!("the values of `{labels}` are of another type")));
    };
    product.run([left, right], output, scale, threads);
    Ok(())
}

/// The left tensor, the right one and the output, as places in arrays.
const LEFT: usize = 0;
const RIGHT: usize = 1;
const OUTPUT: usize = 2;

/// Joins labels that are next to each other wherever they occur.
#[derive(Clone, Copy, Debug)]
struct Dimension {
    extent: usize,
    /// How far apart its points are in the three tensors, 0 where one lacks it.
    strides: [usize; 3],
}

#[derive(Debug)]
struct MatrixProduct {
    rows: Dimension,
    columns: Dimension,
    depth: Dimension,
    /// A product of matrices for each point of these.
    batches: Vec<Dimension>,
    /// Whether these are the outermost modes of the output.
    batches_are_outermost: bool,
}

/// A tensor under its labels, outermost level first.
struct Labeled(Vec<(char, Mode)>);

impl Labeled {
    fn new(tensor: &Tensor, labels: &str) -> Option<Self> {
        let labels: Vec<char> = labels.chars().collect();
        let modes = modes(tensor).filter(|modes| modes.len() == labels.len())?;
        let levels = tensor.format.format.levels.iter().map(|level| match level.expr {
            LevelExpr::Mode(mode) => (labels[mode], modes[mode]),
            _ => unreachable!("`modes` has found whole modes"),
        });
        Some(Self(levels.collect()))
    }

    fn mode(&self, label: char) -> Option<Mode> {
        self.0.iter().find(|(other, _)| *other == label).map(|(_, mode)| *mode)
    }
}

impl MatrixProduct {
    fn new(tensors: [&Tensor; 3], labels: &str) -> Option<Self> {
        let (inputs, output) = labels.split_once("->")?;
        let (left, right) = inputs.split_once(',')?;
        let labeled = [
            Labeled::new(tensors[LEFT], left)?,
            Labeled::new(tensors[RIGHT], right)?,
            Labeled::new(tensors[OUTPUT], output)?,
        ];
        let of = |holders: [bool; 3], tensor: usize| -> Option<Vec<Dimension>> {
            let labels = labeled[tensor].0.iter().map(|(label, _)| *label);
            let has_them =
                |label: &char| labeled.iter().map(|other| other.mode(*label).is_some()).eq(holders);
            labels.filter(has_them).map(|label| dimension(&labeled, label)).collect()
        };
        let batches = of([true; 3], OUTPUT)?;
        let outermost = labeled[OUTPUT].0.iter().take(batches.len());
        let is_batch =
            |label: char| labeled[LEFT].mode(label).is_some() && labeled[RIGHT].mode(label).is_some();
        Some(Self {
            rows: joined(&of([true, false, true], OUTPUT)?)?,
            columns: joined(&of([false, true, true], OUTPUT)?)?,
            depth: joined(&of([true, true, false], LEFT)?)?,
            batches_are_outermost: outermost.into_iter().all(|(label, _)| is_batch(*label)),
            batches,
        })
    }

    fn run<V: Float>(&self, inputs: [&[V]; 2], output: &mut [V], scale: Scale<V>, threads: usize) {
        if output.is_empty() {
            return;
        }
        if self.depth.extent == 0 {
            if !scale.accumulates {
                output.fill(V::default());
            }
            return;
        }
        let walk = |tensor: usize, number: usize| {
            let mode = |batch: &Dimension| Mode { extent: batch.extent, stride: batch.strides[tensor] };
            let modes: Vec<Mode> = self.batches.iter().map(mode).collect();
            DenseWalk::from(&modes, number).offset
        };
        let one = |number: usize, output: &mut [V], threads: usize| {
            let [left, right] = [LEFT, RIGHT].map(|tensor| &inputs[tensor][walk(tensor, number)..]);
            self.one([left, right], output, scale, threads);
        };
        let count: usize = self.batches.iter().map(|batch| batch.extent).product();
        let sizes = [self.rows.extent, self.columns.extent, self.depth.extent];
        if self.batches_are_outermost {
            let work = sizes.iter().product::<usize>() * count;
            let is_shared = count >= PRODUCTS_PER_THREAD * threads && work >= SMALL;
            let (around, inside) = if is_shared { (threads, 1) } else { (1, threads) };
            for_each_chunk(output, sizes[0] * sizes[1], around, |number, output| one(number, output, inside));
        } else {
            (0..count).for_each(|number| one(number, &mut output[walk(OUTPUT, number)..], threads));
        }
    }

    /// One product of matrices, each of which begins where its values do.
    fn one<V: Float>(&self, [left, right]: [&[V]; 2], output: &mut [V], scale: Scale<V>, threads: usize) {
        let Self { rows, columns, depth, .. } = self;
        let strides = |tensor: usize, rows: &Dimension, columns: &Dimension| Strides {
            rows: rows.strides[tensor],
            columns: columns.strides[tensor],
        };
        let sizes = GemmSizes { rows: rows.extent, columns: columns.extent, depth: depth.extent };
        let left = GemmMatrix { values: left, strides: strides(LEFT, rows, depth) };
        let right = GemmMatrix { values: right, strides: strides(RIGHT, depth, columns) };
        let strides = strides(OUTPUT, rows, columns);
        let output = MatrixMut { values: output, strides, accumulates: scale.accumulates };
        gemm::multiply(sizes, scale.alpha, left, right, output, threads);
    }
}

/// A label by itself; `None` where the tensors that have it disagree about its extent.
fn dimension(labeled: &[Labeled; 3], label: char) -> Option<Dimension> {
    let modes = [LEFT, RIGHT, OUTPUT].map(|tensor| labeled[tensor].mode(label));
    let mut extents = modes.iter().flatten().map(|mode| mode.extent);
    let extent = extents.next()?;
    let strides = modes.map(|mode| mode.map_or(0, |mode| mode.stride));
    extents.all(|other| other == extent).then_some(Dimension { extent, strides })
}

/// Labels from the outermost on, as one; `None` where they are apart somewhere.
fn joined(labels: &[Dimension]) -> Option<Dimension> {
    let none = Dimension { extent: 1, strides: [0; 3] };
    let Some((first, others)) = labels.split_first() else { return Some(none) };
    others.iter().try_fold(*first, |outer, inner| {
        let are_neighbours =
            |tensor: usize| outer.strides[tensor] == inner.strides[tensor].wrapping_mul(inner.extent);
        let extent = outer.extent.wrapping_mul(inner.extent);
        [LEFT, RIGHT, OUTPUT]
            .into_iter()
            .all(are_neighbours)
            .then_some(Dimension { extent, strides: inner.strides })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::store_nothing;
    use crate::values::Cell as _;
    use comet_format::TypedFormat;

    /// A tensor whose values depend on their places; the levels store the modes in that order.
    fn tensor<V: Float>(extents: &[usize], order: &[usize], seed: i64) -> Tensor {
        let levels: Vec<String> = order.iter().map(|mode| format!("{mode} : D")).collect();
        let text = format!("{} i32 ({})", V::TYPE, levels.join(", "));
        let format: TypedFormat = text.parse().expect("a format");
        let mut tensor = Tensor::new("t", format);
        tensor.dims = extents.iter().map(|&extent| extent as i64).collect();
        store_nothing(&mut tensor).expect("it fits the memory");
        let values = V::array_mut(&mut tensor.values).expect("values of that type");
        for (place, value) in (0..).zip(values.iter_mut()) {
            *value = V::from_i64((place * 7 + seed * 5) % 11 - 4);
        }
        tensor
    }

    fn at<V: Float>(tensor: &Tensor, point: &[usize]) -> V {
        let modes = modes(tensor).expect("a dense tensor");
        let place = modes.iter().zip(point).map(|(mode, coordinate)| mode.stride * coordinate).sum::<usize>();
        V::array(&tensor.values).expect("values of that type")[place]
    }

    /// Compares with a sum over all points; labels are `a`, `b`, … with those extents. The values are whole
    /// and small, so that every order of summation has the same result.
    fn check<V: Float>(labels: &str, extents: &[usize], orders: [&[usize]; 3], scale: Scale<V>) {
        let (inputs, output) = labels.split_once("->").expect("an output");
        let (left, right) = inputs.split_once(',').expect("two inputs");
        let own = |labels: &str, point: &[usize]| -> Vec<usize> {
            labels.bytes().map(|label| point[usize::from(label - b'a')]).collect()
        };
        let make = |labels: &str, order: &[usize], seed| tensor::<V>(&own(labels, extents), order, seed);
        let (a, b) = (make(left, orders[0], 1), make(right, orders[1], 2));
        let before = make(output, orders[2], 3);
        for threads in [1, 3] {
            let mut c = make(output, orders[2], 3);
            multiply([&a, &b], &mut c, labels, scale, threads).expect("a product of matrices");
            let all: Vec<Mode> = extents.iter().map(|&extent| Mode { extent, stride: 0 }).collect();
            let mut expected = tensor::<V>(&own(output, extents), orders[2], 0);
            let target = modes(&expected).expect("a dense tensor");
            let values = V::array_mut(&mut expected.values).expect("values of that type");
            values.fill(V::default());
            for number in 0..extents.iter().product() {
                let point = DenseWalk::from(&all, number).point;
                let product = at::<V>(&a, &own(left, &point)).mul(at(&b, &own(right, &point)));
                let own = own(output, &point);
                let place: usize = target.iter().zip(own).map(|(mode, at)| mode.stride * at).sum();
                values[place] = values[place].add(product.mul(scale.alpha));
            }
            if scale.accumulates {
                let before = V::array(&before.values).expect("values of that type");
                values.iter_mut().zip(before.iter()).for_each(|(value, old)| *value = value.add(*old));
            }
            let found = V::array(&c.values).expect("values of that type");
            let expected = V::array(&expected.values).expect("values of that type");
            assert_eq!(found[..], expected[..], "{labels} of {extents:?} on {threads} threads");
        }
    }

    fn checks(labels: &str, extents: &[usize], orders: [&[usize]; 3]) {
        for accumulates in [false, true] {
            check::<f64>(labels, extents, orders, Scale { alpha: 1.0, accumulates });
            check::<f32>(labels, extents, orders, Scale { alpha: -2.0, accumulates });
        }
    }

    #[test]
    fn matrices_are_multiplied_in_any_orientation() {
        for extents in [[7, 5, 3], [64, 65, 66], [1, 9, 4], [3, 1, 1], [0, 4, 4], [4, 0, 4], [4, 4, 0]] {
            checks("ac,cb->ab", &extents, [&[0, 1]; 3]);
            checks("ca,bc->ba", &extents, [&[0, 1]; 3]);
            checks("ac,cb->ab", &extents, [&[1, 0], &[0, 1], &[1, 0]]);
        }
    }

    #[test]
    fn labels_side_by_side_are_one() {
        checks("abef,efcd->abcd", &[3, 4, 2, 5, 6, 2], [&[0, 1, 2, 3]; 3]);
        checks("efab,cdef->cdab", &[3, 1, 2, 5, 1, 2], [&[0, 1, 2, 3]; 3]);
        // In the order of storage, whatever the order of modes is.
        checks("bac,cd->dab", &[3, 4, 5, 2], [&[1, 0, 2], &[0, 1], &[0, 1, 2]]);
    }

    #[test]
    fn labels_of_all_three_are_batches() {
        checks("abd,adc->abc", &[30, 4, 5, 6], [&[0, 1, 2]; 3]);
        checks("bad,adc->bca", &[3, 4, 5, 6], [&[0, 1, 2]; 3]);
        checks("abdc,abcd->abd", &[3, 2, 7, 4], [&[0, 1, 2, 3], &[0, 1, 2, 3], &[0, 1, 2]]);
        checks("abd,adc->abc", &[0, 4, 5, 6], [&[0, 1, 2]; 3]);
    }

    /// Bit by bit, with sums that rounding makes depend on their order.
    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        for extents in [[300, 200, 400], [5000, 16, 16], [16, 4000, 30], [12, 12, 20_000]] {
            let [rows, columns, depth] = extents;
            let uneven = |extents: [usize; 2]| {
                let mut tensor = tensor::<f64>(&extents, &[0, 1], 0);
                let values = f64::array_mut(&mut tensor.values).expect("values of that type");
                let value = |place: usize| 1.0 / (place % 1009 + 3) as f64;
                values.iter_mut().enumerate().for_each(|(place, number)| *number = value(place));
                tensor
            };
            let (left, right) = (uneven([rows, depth]), uneven([depth, columns]));
            let product = |threads| {
                let mut output = uneven([rows, columns]);
                let scale = Scale { alpha: 0.7, accumulates: true };
                multiply([&left, &right], &mut output, "ac,cb->ab", scale, threads).expect("matrices");
                f64::array(&output.values).expect("values of that type").to_vec()
            };
            let one = product(1);
            assert!((2..5).all(|threads| product(threads) == one), "{extents:?}");
        }
    }

    #[test]
    fn what_is_no_product_of_matrices_is_refused() {
        let cube = tensor::<f64>(&[3, 3, 3], &[0, 1, 2], 1);
        let mut output = tensor::<f64>(&[3, 3], &[0, 1], 1);
        let scale = Scale { alpha: 1.0, accumulates: false };
        for labels in ["acd,dcb->ab", "acd,cdb->ab,", "acd"] {
            assert!(multiply([&cube, &cube], &mut output, labels, scale, 1).is_err(), "{labels}");
        }
    }
}
