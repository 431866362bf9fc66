# %% [markdown]
# # A pruned layer
#
# A network for handwritten digits, one of whose layers loses nine of ten blocks of weights. The layer is then a
# matrix in BCSR, times a batch, with the bias and the ReLU in the same call. Compared with SciPy and with the
# dense product, over the share of blocks that is kept.

# %%
import timeit

import matplotlib
import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from threadpoolctl import threadpool_limits

import comet_sparse as ct

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

images, digits = load_digits(return_X_y=True)
train, test, train_digits, test_digits = train_test_split(images / 16, digits, random_state=0)

# %% [markdown]
# ## Training and pruning
#
# Blocks are kept by their norms. A few more epochs let the rest of the weights make up for the lost ones.


# %%
def train_epochs(network, epochs, kept=1.0):
    # Products this small are slower on several threads.
    with threadpool_limits(1):
        for _ in range(epochs):
            network.partial_fit(train, train_digits, classes=np.arange(10))
            network.coefs_[1] *= kept


def kept_blocks(weights, size, share):
    """1 in the blocks with the largest norms, and 0 elsewhere."""
    rows, columns = (extent // size for extent in weights.shape)
    norms = np.linalg.norm(weights.reshape(rows, size, columns, size), axis=(1, 3))
    return np.kron(norms > np.quantile(norms, 1 - share), np.ones((size, size)))


network = MLPClassifier((256, 256), random_state=0)
train_epochs(network, 40)
print(f"dense: {network.score(test, test_digits):.1%} of the test images are recognized")
kept = kept_blocks(network.coefs_[1], 4, 0.1)
network.coefs_[1] *= kept
print(f"{kept.mean():.0%} of the blocks are kept: {network.score(test, test_digits):.1%}")
train_epochs(network, 20, kept)
print(f"after more epochs: {network.score(test, test_digits):.1%}")

# %% [markdown]
# ## The layer
#
# The language applies functions to elements, and not to sums: the sum is a statement of its own.


# %%
def layer(format):
    return ct.compile(
        "Z[i,k] = W[i,j] * X[j,k] + b[i]; Y[i,k] = relu(Z[i,k])", W=format, dtype=np.float32
    )


layers = {format: layer(format) for format in ("csr", "bcsr<4,4>", "bcsr<8,8>")}


def relu(x):
    return np.maximum(x, 0)


first, middle, last = (np.ascontiguousarray(weights.T, dtype=np.float32) for weights in network.coefs_)
biases = [bias.astype(np.float32) for bias in network.intercepts_]
blocks = sp.bsr_array(middle, blocksize=(4, 4))
hidden = relu(first @ test.T.astype(np.float32) + biases[0][:, None])
activations = layers["bcsr<4,4>"](W=blocks, X=hidden, b=biases[1])
found = (last @ activations + biases[2][:, None]).argmax(axis=0)
print(f"with the layer by comet: {np.mean(found == test_digits):.1%}")

# %% [markdown]
# ## What the compiler has decided

# %%
for record in layers["bcsr<4,4>"].explain():
    print(record["message"])

# %% [markdown]
# ## How long a large layer takes
#
# 1024 × 1024 weights, a batch of 256. All ways write to an array that is there, where they can.

# %%
extent, batch = 1024, 256
random = np.random.default_rng(0)
X = random.standard_normal((extent, batch), dtype=np.float32)
b = random.standard_normal(extent, dtype=np.float32)
Y = np.empty((extent, batch), dtype=np.float32)


def finish(product):
    """Adds the bias and takes the ReLU, in place."""
    product += b[:, None]
    return np.maximum(product, 0, out=product)


def ways(density, size):
    """The ways to compute the layer, by name, for random blocks of a size."""
    shape = (extent // size, extent // size)
    chosen = np.kron(random.random(shape) < density, np.ones((size, size), dtype=np.float32))
    weights = chosen * random.standard_normal((extent, extent), dtype=np.float32)
    csr = sp.csr_array(weights)
    bsr = sp.bsr_array(weights, blocksize=(size, size))
    blocked = layers[f"bcsr<{size},{size}>"]
    return {
        "NumPy, dense": lambda: finish(np.matmul(weights, X, out=Y)),
        "SciPy, csr": lambda: finish(csr @ X),
        f"SciPy, bsr {size} × {size}": lambda: finish(bsr @ X),
        "comet, CSR": lambda: layers["csr"](W=csr, X=X, b=b, out=Y),
        f"comet, BCSR<{size},{size}>": lambda: blocked(W=bsr, X=X, b=b, out=Y),
    }


def milliseconds(works, repeat=5):
    """The least time of each, measured in turn."""
    times = {name: np.inf for name in works}
    for _ in range(repeat):
        for name, work in works.items():
            times[name] = min(times[name], timeit.timeit(work, number=1) * 1e3)
    return times


densities = [0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0]
times = {size: [milliseconds(ways(density, size)) for density in densities] for size in (4, 8)}
print("| of 10 % of the blocks | 4 × 4, ms | 8 × 8, ms |\n|---|---|---|")
place = densities.index(0.1)
for names in zip(times[4][place], times[8][place]):
    four, eight = (times[size][place][name] for size, name in zip((4, 8), names))
    print(f"| {names[0].replace(' 4 × 4', '').replace('<4,4>', '')} | {four:.2f} | {eight:.2f} |")

# %%
figure, axes = pyplot.subplots(1, 2, figsize=(10, 4), sharey=True)
for axis, (size, measured) in zip(axes, times.items()):
    for name in measured[0]:
        style = "-" if name.startswith("comet") else "--"
        axis.loglog(densities, [each[name] for each in measured], style, marker="o", markersize=3, label=name)
    axis.set(title=f"blocks of {size} × {size}", xlabel="share of blocks that is kept")
    axis.legend(fontsize=7)
axes[0].set(ylabel="ms")
figure.tight_layout()

# %% [markdown]
# ## Check

# %%
for size in (4, 8):
    results = [work().copy() for work in ways(0.1, size).values()]
    for result in results[1:]:
        assert np.allclose(result, results[0], rtol=1e-3, atol=1e-3)
assert np.allclose(activations, relu(middle @ hidden + biases[1][:, None]), rtol=1e-4, atol=1e-4)
assert (found == network.predict(test)).all()
