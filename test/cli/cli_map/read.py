"""Reads one map as array and as image data of VTK: the same numbers.

    read.py NAME       NAME.npy with NAME.json, and NAME.vti
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
