#!/usr/bin/env python3
"""Filters over windows by scipy.ndimage: the peer of the bench's stencils on the CPU.

python3 stencil.py FOLDER box|general f32|c64 SIDE reads the image x.f32 and weights.json in FOLDER, writes result.f32 there, and prints
{"peer": …, "milliseconds": of the filter alone}. Beyond the image are zeros. The real and imaginary parts of complex images are filtered
one after the other.
"""
import json
import sys
import time
from pathlib import Path

import numpy
import scipy
from scipy import ndimage

folder, kind, dtype, side = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
x = numpy.fromfile(folder / "x.f32", numpy.complex64 if dtype == "c64" else numpy.float32).reshape(side, side)
weights = numpy.array(json.loads((folder / "weights.json").read_text()), numpy.float32)
result = numpy.full_like(x, 0)


def filtered(image, out):
    if kind == "box":
        ndimage.uniform_filter(image, 7, output=out, mode="constant")
    else:
        ndimage.correlate(image, weights, output=out, mode="constant")


begin = time.perf_counter()
if dtype == "c64":
    filtered(x.real, result.real)
    filtered(x.imag, result.imag)
else:
    filtered(x, result)
milliseconds = 1e3 * (time.perf_counter() - begin)
result.tofile(folder / "result.f32")
name = "uniform_filter" if kind == "box" else "correlate"
print(json.dumps({"peer": f"scipy {scipy.__version__} ndimage.{name}", "milliseconds": milliseconds}))
