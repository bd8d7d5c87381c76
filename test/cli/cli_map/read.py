"""Reads one map as array, image data of VTK and, where h5py is there, HDF5: the same numbers.

    read.py NAME [h5]       NAME.npy with NAME.json, NAME.vti and NAME.h5
"""

import json
import re
import sys

import numpy as np

name = sys.argv[1]
array = np.load(name + ".npy")
about = json.load(open(name + ".json"))
n, orientations = about["count"], about["orientations"]
fields = ["bits", "solutions", "manipulability", "limit_margin", "reached"]

# the array: records of these fields, the bits as many as are counted
assert array.shape == (n, n, n) and list(array.dtype.names) == fields == about["fields"]
bits = np.unpackbits(array["bits"], axis=-1, bitorder="little")[..., :orientations]
assert (bits.sum(axis=-1) == array["reached"]).all() and array["reached"].max() > 0
assert (array["solutions"] >= array["reached"]).all()
assert ((array["manipulability"] > 0) <= (array["reached"] > 0)).all()

# image data: x fastest, behind the underscore of the appended data
data = open(name + ".vti", "rb").read()
start = data.index(b'<AppendedData encoding="raw">\n_') + len('<AppendedData encoding="raw">\n_')
head = data[:start].decode("latin-1")
expected = {"share": array["reached"] / orientations}
expected.update({field: array[field] for field in fields[1:4]})
found = re.findall(r'<DataArray type="Float32" Name="(\w+)" format="appended" offset="(\d+)"', head)
assert {field for field, _ in found} == set(expected)
for field, offset in found:
    at = start + int(offset)
    assert int.from_bytes(data[at : at + 8], "little") == 4 * n**3
    values = np.frombuffer(data, "<f4", n**3, at + 8).reshape((n, n, n), order="F")
    assert np.array_equal(values, expected[field].astype("<f4")), field
origin = np.array([float(x) for x in re.search('Origin="([^"]*)"', head).group(1).split()])
assert np.allclose(origin + (n // 2 + 0.5) * about["cell"], about["center"])
print("numpy reads the array and the image data")

if "h5" not in sys.argv[2:]:
    sys.exit()
try:
    import h5py
except ImportError:
    print("there is no h5py: HDF5 is not read")
    sys.exit()

# HDF5: our arrays, then the two tables that Reuleaux reads
file = h5py.File(name + ".h5")
for field in fields:
    assert np.array_equal(file["Map/" + field][:], array[field]), field
assert json.loads(file["Map"].attrs["description"]) == about
spheres, poses = file["Spheres/sphere_dataset"], file["Poses/poses_dataset"]
assert np.isclose(spheres.attrs["Resolution"], about["cell"])
assert spheres.shape == ((array["reached"] > 0).sum(), 4) and poses.shape == (bits.sum(), 10)
order = array["reached"].ravel(order="F")
assert np.allclose(spheres[:, 3], 100 * order[order > 0] / orientations)
# each sphere has as many poses as it says, at its centre, in unit quaternions
cells = np.rint((spheres[:, :3] - np.array(about["center"])) / about["cell"]).astype(int) + n // 2
assert np.array_equal(array["reached"][tuple(cells.T)], order[order > 0])
assert np.allclose(np.repeat(spheres[:, :3], order[order > 0], axis=0), poses[:, :3])
assert np.array_equal(poses[:, :3], poses[:, 3:6])
assert np.allclose(np.linalg.norm(poses[:, 6:], axis=1), 1, atol=1e-6)
print("h5py reads the same, and Reuleaux's tables")
