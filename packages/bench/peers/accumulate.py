#!/usr/bin/env python3
"""out += in in numpy, which dechirp's accumulating map is compared with.

Reads x.c64 of a folder, adds it to zeros twice and writes sum.c64. Then it adds some more times, and prints one line of JSON: the name of
the peer and the median of the milliseconds of one addition.

    python3 accumulate.py FOLDER
"""
import json
import sys
import time
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
x = np.fromfile(folder / "x.c64", dtype=np.complex64)
out = np.zeros_like(x)
out += x
out += x
out.tofile(folder / "sum.c64")
times = []
for _ in range(15):
    start = time.perf_counter()
    out += x
    times.append(1e3 * (time.perf_counter() - start))
print(json.dumps({"peer": f"numpy {np.__version__} +=", "milliseconds": float(np.median(times))}))
