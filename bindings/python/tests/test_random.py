"""Random arrays and arguments at the border: what is accepted is right, what is refused has an exception with words.

`FARSIGHT_EXAMPLES=100000` tries more of them: about ten minutes.
"""

import os
import threading

import numpy as np
import pytest

import farsight_fov as fs

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import strategies as st  # noqa: E402
from hypothesis.extra import numpy as hn  # noqa: E402

EXAMPLES = int(os.environ.get("FARSIGHT_EXAMPLES", 60))
given_many = hypothesis.settings(max_examples=EXAMPLES, deadline=None, derandomize="FARSIGHT_EXAMPLES" not in os.environ)

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in cast")

NUMBER_TYPES = st.sampled_from([np.float32, np.float64, np.float16, ">f4", np.int8, np.uint64, bool])
OTHERS = st.sampled_from([[[1, 2], [3]], [["a"]], None, {}, np.array([[object()]]), np.ones((2, 2), complex), np.ones((2, 2), "M8[s]")])
SHAPES = st.one_of(st.tuples(st.integers(1, 12), st.integers(1, 12)), hn.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=12))
NUMBERS = st.one_of(st.floats(), st.integers(-3, 40), st.sampled_from([2**31, 2**70, None, "1", (1, 2)]))
CELLS = st.one_of(st.tuples(st.integers(-2, 13), st.integers(-2, 13)), st.tuples(NUMBERS, NUMBERS), NUMBERS)
REFUSED = (ValueError, TypeError, IndexError, OverflowError, MemoryError)
METHODS = st.sampled_from(["two-parent", "beam", "exact", "shadowcast", ""])


@st.composite
def maps(draw, kinds=NUMBER_TYPES, shapes=SHAPES, highest=None):
    """Arrays of every layout."""
    kind, shape = draw(kinds), draw(shapes)
    is_number = np.dtype(kind).kind in "f"
    elements = None if highest is None else st.floats(0, highest, width=16) if is_number else st.integers(0, 1)
    array = draw(hn.arrays(kind, shape, elements=elements))
    layout = draw(st.integers(0, 4))
    if layout == 0:
        return np.asfortranarray(array)
    if layout == 1 and array.ndim == 2:
        return array[::-1, ::2]
    if layout == 2 and array.ndim == 2:
        return np.lib.stride_tricks.as_strided(array, array.shape, (0, array.strides[1]), writeable=False)
    array.flags.writeable = layout != 3
    return array


@st.composite
def arguments(draw, highest, *usual_and_odd):
    """A map, a cell of it, and further arguments. At most one of all is odd."""
    odd = draw(st.integers(0, 2 * len(usual_and_odd) + 4))
    if odd == 0:
        array = draw(st.one_of(maps(), OTHERS))
    else:
        array = draw(maps(shapes=st.tuples(st.integers(1, 12), st.integers(1, 12)), highest=highest))
    height, width = array.shape if isinstance(array, np.ndarray) and array.ndim == 2 and array.size else (5, 5)
    cell = draw(CELLS if odd == 1 else st.tuples(st.integers(0, width - 1), st.integers(0, height - 1)))
    return array, cell, *(draw(pair[odd == i]) for i, pair in enumerate(usual_and_odd, 2))


def call(function, *arguments, **options):
    """Return the result, or None if the arguments are refused."""
    try:
        return function(*arguments, **options)
    except REFUSED as error:
        assert str(error), f"{function.__name__} refuses without a word"
        return None


@given_many
@hypothesis.given(arguments(1, (st.integers(0, 9), NUMBERS), (METHODS, st.text())))
def test_views_of_random_arrays(drawn):
    opacity, viewer, radius, method = drawn
    seen = call(fs.field_of_view, opacity, viewer, radius=radius, method=method)
    if seen is None:
        return
    plain = np.array(opacity, np.float32, order="C")
    assert seen.shape == plain.shape and ((seen >= 0) & (seen <= 1)).all() and seen[viewer[1], viewer[0]] in (0, 1)
    assert np.array_equal(seen, fs.field_of_view(plain, viewer, radius=radius, method=method))
    if radius is None or radius > 100:
        return  # a batch of such squares fits into no memory
    many = fs.fields_of_view(opacity, [viewer], radius=radius, method=method)[0]
    padded = np.pad(seen, radius)
    assert np.array_equal(many, padded[viewer[1] : viewer[1] + 2 * radius + 1, viewer[0] : viewer[0] + 2 * radius + 1])


POSITIVE = st.floats(0.5, 100)


@given_many
@hypothesis.given(
    arguments(500, (POSITIVE, NUMBERS), (POSITIVE, NUMBERS), (st.one_of(st.none(), POSITIVE), NUMBERS), (METHODS, st.text()))
)
def test_terrain_of_random_arrays(drawn):
    heights, viewer, cell_size, eye, max_distance, method = drawn
    options = {"cell_size": cell_size, "eye": eye, "max_distance": max_distance}
    seen = call(fs.viewshed, heights, viewer, method=method, **options)
    if seen is not None:
        assert seen.shape == np.shape(heights) and np.isin(seen, (0, 1)).all()
    counts = call(fs.cumulative, heights, [viewer], method=method, **options)
    if counts is not None and seen is not None:
        assert np.array_equal(np.nan_to_num(counts["count"]), np.where(np.isnan(np.asarray(heights, np.float32)), 0, seen))
    skyline = call(fs.horizon, heights, viewer, azimuths=7, **options)
    # Two pairs are no cell, but two viewers.
    assert skyline is None or skyline.shape == ((7,) if np.ndim(viewer) == 1 else (len(viewer), 7))
    factor = call(fs.sky_view_factor, heights, cell_size=cell_size, max_distance=max_distance, azimuths=5)
    assert factor is None or not (factor > 1).any()


@given_many
@hypothesis.given(hn.arrays(np.float32, (9, 12), elements=st.floats(0, 1, width=32)), hn.arrays(np.float32, (9, 12)))
def test_threads_share_random_arrays(opacity, heights):
    opacity[4, 6] = 0
    expected = fs.field_of_view(opacity, (6, 4)), call(fs.sky_view_factor, heights, cell_size=9, azimuths=4)
    found = []

    def look():
        found.append((fs.field_of_view(opacity, (6, 4)), call(fs.sky_view_factor, heights, cell_size=9, azimuths=4)))

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    for view, factor in found:
        assert np.array_equal(view, expected[0])
        assert (factor is None) == (expected[1] is None)
        assert factor is None or np.array_equal(factor, expected[1], equal_nan=True)
