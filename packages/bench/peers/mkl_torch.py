"""
The native peer Intel MKL, as PyTorch calls it for transforms on a processor: single precision, into an array that is there already. The first
argument is the number of threads, 1 by default. Answers each line "n lines milliseconds" as fftw.c does. Ends with status 1 and a reason if
PyTorch is absent or was built without MKL.
"""
import sys
import time

try:
    import torch
except ImportError:
    sys.exit("needs PyTorch")
if not torch.backends.mkl.is_available():
    sys.exit("needs a PyTorch with MKL")
torch.set_num_threads(int(sys.argv[1]) if len(sys.argv) > 1 else 1)

planned = None
for line in sys.stdin:
    n, lines, window = line.split()
    n, lines, window = int(n), int(lines), float(window)
    if planned != (n, lines):
        x = torch.randn(lines, n, dtype=torch.complex64)
        y = torch.empty_like(x)
        torch.fft.fft(x, out=y)
        planned = (n, lines)
    start = time.perf_counter()
    runs = 0
    while True:
        torch.fft.fft(x, out=y)
        runs += 1
        end = time.perf_counter()
        if 1e3 * (end - start) >= window:
            break
    print("%.9g" % (1e3 * (end - start) / runs), flush=True)
