"""cuFFT through PyTorch on the same sizes: milliseconds of GPU time, CUDA events around 30 calls, medians of 9, warm."""

import json
import sys

import torch

elements = 2**24
torch.manual_seed(1)
device = torch.device("cuda")
data = torch.randn(elements, dtype=torch.complex64, device=device)
copy_target = torch.empty_like(data)


def timed(work, runs=30, samples=9):
    for _ in range(5):
        work()
    times = []
    for _ in range(samples):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(runs):
            work()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) / runs)
    return sorted(times)[samples // 2]


def case(name, work):
    warm = torch.cuda.Event(enable_timing=True)
    warm.record()
    for _ in range(200):
        copy_target.copy_(data)
    ms = timed(work)
    print(json.dumps({"name": name, "ms": ms}), flush=True)


case("copy", lambda: copy_target.copy_(data))
for n in [2**k for k in range(4, 23)] + [1000, 1536, 4095, 10007]:
    rows = data[: (elements // n) * n].reshape(-1, n)
    case(f"fft {n}", lambda: torch.fft.fft(rows, dim=1))
square = data.reshape(4096, 4096)
out = torch.empty_like(square)
case("columns 4096", lambda: torch.fft.fft(square, dim=0))
case("transpose 4096", lambda: out.copy_(square.t()))
for n in [1024, 2048, 4096, 8192]:
    rows = data.reshape(-1, n)
    h = torch.randn(n, dtype=torch.complex64, device=device)
    case(f"filter {n}", lambda: torch.fft.ifft(torch.fft.fft(rows, dim=1) * h, dim=1))
real = torch.randn(2 * elements // 4096, 4096, device=device)
case("real 4096", lambda: torch.fft.rfft(real, dim=1))
sys.exit(0)
