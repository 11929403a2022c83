#!/usr/bin/env python3
"""cuFFT through PyTorch and CuPy, and VkFFT through pyvkfft: the native peers of the GPU bench.

Answers each line of JSON with another:
    {"do": "describe"}                                     {"description": "…"}
    {"do": "open", "kind": "fft", "lines": l, "n": n}      {"names": […], "failed": {name: why}}
    {"do": "sample", "name": …, "runs": r}                 {"milliseconds": of one run, the mean of r runs between two events}
    {"do": "error", "name": …}                             {"relative": L2 of sampled lines against complex128}
Kinds: fft (rows), axes (transforms along `axes` of an array of `shape`), filter (FFT·H·IFFT of rows), transpose, real-fft (rows of float32), real-ifft (rows of n/2 + 1
bins to float32), accumulate (out += in), fft-accumulate (out += FFT of rows; both are checked after two runs on zeros), range-doppler (rda.py), efa (efa_torch.py,
with a `folder`), gather (gather_torch.py), reduce (reduce_torch.py, with `what`, `axes`, `dtype`, `bins`), box and general (filters
over windows of 7×7 and 5×5 of a complex image), box-real and general-real (of a float32 image; all in float32 without TF32). Plans are
made at `open` or cached by the library. `how` is "graph" for runs that a CUDA graph repeats, or "wait" for runs each of which the host waits for,
on the host's clock. A few runs before the first event
keep the GPU's clock up. Use by hand:
    printf '{"do": "open", "kind": "fft", "lines": 4096, "n": 4096}\\n…' | python3 cufft.py
"""
import contextlib
import json
import sys
import time

import torch

try:
    import cupy
    from cupy.cuda import cufft
except Exception as error:  # noqa: BLE001: PyTorch alone is enough
    cupy, missing = None, str(error)

WARM = 5
# Runs in a CUDA graph.
CAPTURED = 50


def general_weights(dtype):
    """The weights of the general filter, those of the bench's own."""
    numbers = [(k * 7 % 25 - 11) / 64 for k in range(25)]
    return torch.tensor(numbers, device="cuda", dtype=dtype).view(1, 1, 5, 5)


class Work:
    """Implementations of one kind at one size: functions that return a tensor."""

    def __init__(self, kind, lines, n, folder=None, reduction=None, how=None, shape=None):
        self.kind, self.lines, self.n, self.folder, self.reduction, self.how = kind, lines, n, folder, reduction, how
        self.graphs = {}
        self.ways, self.failed = {}, {}
        # Ways that do not divide by n, with what restores their input.
        self.unscaled = {}
        generator = torch.Generator(device="cuda").manual_seed(1)
        is_real = kind.endswith("-real") or kind == "real-fft"
        real = torch.rand((lines, n if is_real else 2 * n), generator=generator, device="cuda") - 0.5
        self.x = real if is_real else torch.view_as_complex(real.view(lines, n, 2))
        if kind == "axes":
            self.axes, self.x = reduction["axes"], self.x.view(shape)
        if kind == "real-ifft":
            self.x = self.x[:, : n // 2 + 1].contiguous()
            # Libraries differ in what imaginary parts of the bins 0 and n/2 do.
            torch.view_as_real(self.x)[:, [0, -1], 1] = 0
        phase = 6.2831853 * torch.rand(n, generator=generator, device="cuda")
        self.h = torch.polar(torch.ones_like(phase), phase)
        for name, make in self.makers().items():
            try:
                way = make()
                way()
                torch.cuda.synchronize()
                self.ways[name] = way
            except Exception as error:  # noqa: BLE001: reported
                self.failed[name] = f"{type(error).__name__}: {error}"

    def makers(self):
        x, h, n = self.x, self.h, self.n
        if self.kind == "fft":
            made = {"PyTorch": lambda: lambda: torch.fft.fft(x)}
            made |= self.with_cupy(lambda: self.plan1d(x, cufft.CUFFT_C2C))
            return made | {"VkFFT (pyvkfft)": self.vkfft}
        if self.kind == "real-fft":
            made = {"PyTorch": lambda: lambda: torch.fft.rfft(x)}
            return made | self.with_cupy(lambda: self.plan1d(x, cufft.CUFFT_R2C))
        if self.kind == "real-ifft":
            made = {"PyTorch": lambda: lambda: torch.fft.irfft(x, n)}
            return made | self.with_cupy(lambda: self.plan_back(x))
        if self.kind == "axes":
            made = {"PyTorch": lambda: lambda: torch.fft.fftn(x, dim=self.axes)}
            return made | self.with_cupy(self.cupy_axes)
        if self.kind == "transpose":
            out = torch.empty((n, self.lines), dtype=x.dtype, device="cuda")
            return {
                "PyTorch contiguous": lambda: lambda: x.t().contiguous(),
                "PyTorch copy": lambda: lambda: out.copy_(x.t()),
            }
        if self.kind == "filter":
            made = {
                "PyTorch": lambda: lambda: torch.fft.ifft(torch.fft.fft(x) * h),
                # The inverse does not scale if the filter does, which saves a pass.
                "PyTorch, 1/n in H": self.torch_filter,
            }
            return made | self.with_cupy(self.cupy_filter)
        if self.kind in ("accumulate", "fft-accumulate"):
            self.total = torch.zeros_like(x)
            if self.kind == "accumulate":
                return {"PyTorch add_": lambda: lambda: self.total.add_(x)}
            made = {"PyTorch": lambda: lambda: self.total.add_(torch.fft.fft(x))}
            return made | self.with_cupy(self.cupy_accumulate)
        if self.kind == "range-doppler":
            from rda import Rda

            self.rda = Rda(x, cupy)
            return self.rda.ways()
        if self.kind == "efa":
            from efa_torch import Efa

            self.efa = Efa(self.folder, "cuda")
            return self.efa.ways()
        if self.kind == "reduce":
            from reduce_torch import Reduce

            self.x = None  # It makes its own arrays.
            self.reduce = Reduce(self.lines, self.n, **self.reduction)
            return self.reduce.ways()
        if self.kind == "gather":
            from gather_torch import Gather

            self.gather = Gather(x)
            return self.gather.ways()
        if self.kind.split("-")[0] in ("box", "general"):
            return self.windows()
        raise ValueError(f"no such kind: {self.kind}")

    def vkfft(self):
        """VkFFT on CUDA, if pyvkfft is installed. Without it this fails with the reason."""
        from pyvkfft.cuda import VkFFTApp

        out = torch.empty_like(self.x)
        source, target = cupy.asarray(self.x), cupy.asarray(out)
        app = VkFFTApp(source.shape, source.dtype, ndim=1, inplace=False)

        def way():
            app.fft(source, target)
            return out

        return way

    def windows(self):
        torch.backends.cudnn.allow_tf32 = False
        torch.backends.cudnn.benchmark = True
        # The real and the imaginary parts are two images.
        planes = torch.view_as_real(self.x).permute(2, 0, 1) if self.x.is_complex() else self.x[None]
        images = planes[:, None].contiguous()
        if self.kind.startswith("box"):
            ones = torch.full((1, 1, 7, 7), 1 / 49, device="cuda")
            made = {
                "PyTorch avg_pool2d": lambda: lambda: torch.nn.functional.avg_pool2d(images, 7, 1, 3),
                "PyTorch conv2d": lambda: lambda: torch.nn.functional.conv2d(images, ones, padding=3),
            }
        else:
            weights = general_weights(images.dtype)
            made = {"PyTorch conv2d": lambda: lambda: torch.nn.functional.conv2d(images, weights, padding=2)}
        if self.x.is_complex():
            # From and to complex numbers, with the copies that this takes.
            filtered = made["PyTorch conv2d" if self.kind == "general" else "PyTorch avg_pool2d"]()
            made = {f"{name}, planar": make for name, make in made.items()}

            def interleaved():
                images.copy_(torch.view_as_real(self.x).permute(2, 0, 1)[:, None])
                return torch.complex(*filtered()[:, 0])

            made["PyTorch, interleaved"] = lambda: interleaved
        return made

    def window_error(self, result, count):
        rows = torch.view_as_complex(result[:, 0, :count].permute(1, 2, 0).contiguous()) if result.shape[0] == 2 and result.dim() == 4 else result
        got = (rows[0, 0] if rows.dim() == 4 else rows)[:count]
        top = self.x[: count + 8]
        planes = torch.view_as_real(top).permute(2, 0, 1) if top.is_complex() else top[None]
        if self.kind.startswith("box"):
            weights, padding = torch.full((1, 1, 7, 7), 1 / 49, device="cuda", dtype=torch.float64), 3
        else:
            weights, padding = general_weights(torch.float64), 2
        wanted = torch.nn.functional.conv2d(planes[:, None].to(torch.float64), weights, padding=padding)[:, 0, :count]
        wanted = torch.complex(*wanted) if top.is_complex() else wanted[0]
        difference = torch.linalg.vector_norm(got.to(wanted.dtype) - wanted)
        return (difference / torch.linalg.vector_norm(wanted)).item()

    def with_cupy(self, make):
        if cupy is None:
            self.failed["CuPy"] = missing
            return {}
        return {"CuPy": make}

    def plan1d(self, x, kind):
        source = cupy.from_dlpack(x)
        width = self.n // 2 + 1 if kind == cufft.CUFFT_R2C else self.n
        out = torch.empty((self.lines, width), dtype=torch.complex64, device="cuda")
        target = cupy.from_dlpack(out)
        plan = cufft.Plan1d(self.n, kind, self.lines)

        def run():
            plan.fft(source, target, cufft.CUFFT_FORWARD)
            return out

        return run

    def cupy_axes(self):
        """One plan of cuFFT, if the axes are the first or the last ones: other batches have two distances between lines, and a plan has one."""
        shape, axes, rank = tuple(self.x.shape), sorted(self.axes), self.x.dim()
        if axes == list(range(len(axes))):
            extents, batch = shape[: len(axes)], self.x[(0,) * len(axes)].numel()
            stride, distance = batch, 1
        elif axes == list(range(rank - len(axes), rank)):
            extents, stride = shape[rank - len(axes) :], 1
            distance = self.x[(0,) * (rank - len(axes))].numel()
            batch = self.x.numel() // distance
        else:
            raise ValueError("no single plan of cuFFT has such batches")
        out = torch.empty_like(self.x)
        source, target = cupy.from_dlpack(self.x), cupy.from_dlpack(out)
        plan = cufft.PlanNd(extents, extents, stride, distance, extents, stride, distance, cufft.CUFFT_C2C, batch, "C", rank - 1, shape[-1])

        def run():
            plan.fft(source, target, cufft.CUFFT_FORWARD)
            return out

        return run

    def plan_back(self, x):
        """cuFFT's own transform to real lines. It does not scale, and may overwrite its input, which is a copy."""
        copy = x.clone()
        out = torch.empty((self.lines, self.n), dtype=torch.float32, device="cuda")
        source, target = cupy.from_dlpack(copy), cupy.from_dlpack(out)
        plan = cufft.Plan1d(self.n, cufft.CUFFT_C2R, self.lines)

        def run():
            plan.fft(source, target, cufft.CUFFT_INVERSE)
            return out

        self.unscaled[run] = lambda: copy.copy_(x)
        return run

    def torch_filter(self):
        scaled = self.h / self.n

        def run():
            y = torch.fft.fft(self.x)
            y *= scaled
            return torch.fft.ifft(y, norm="forward")

        return run

    def cupy_filter(self):
        source, scaled = cupy.from_dlpack(self.x), cupy.from_dlpack(self.h / self.n)
        out = torch.empty_like(self.x)
        target = cupy.from_dlpack(out)
        plan = cufft.Plan1d(self.n, cufft.CUFFT_C2C, self.lines)

        def run():
            plan.fft(source, target, cufft.CUFFT_FORWARD)
            cupy.multiply(target, scaled, out=target)
            plan.fft(target, target, cufft.CUFFT_INVERSE)
            return out

        return run

    def cupy_accumulate(self):
        transform = self.plan1d(self.x, cufft.CUFFT_C2C)
        return lambda: self.total.add_(transform())

    def graph(self, name):
        if name not in self.graphs:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph), self.same_stream():
                for _ in range(CAPTURED):
                    self.ways[name]()
            self.graphs[name] = graph
        return self.graphs[name]

    @staticmethod
    def same_stream():
        """CuPy on the stream of PyTorch, of which a graph is captured."""
        return cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream) if cupy else contextlib.nullcontext()

    def sample(self, name, runs):
        way = self.ways[name]
        if self.how == "wait":
            torch.cuda.synchronize()
            begin = time.perf_counter()
            for _ in range(runs):
                way()
                torch.cuda.synchronize()
            return 1e3 * (time.perf_counter() - begin) / runs
        if self.how == "graph":
            way, repeats = self.graph(name).replay, -(-runs // CAPTURED)
            return self.timed(way, repeats) / CAPTURED
        return self.timed(way, runs)

    def timed(self, way, runs):
        for _ in range(min(WARM, runs)):
            way()
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(runs):
            way()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / runs

    def error(self, name):
        if self.kind == "range-doppler":
            return self.rda.error(self.ways[name]())
        if self.kind == "efa":
            return self.efa.error(self.ways[name])
        if self.kind == "reduce":
            return self.reduce.error(self.ways[name])
        if self.kind == "gather":
            return self.gather.error(self.ways[name]())
        if self.kind in ("accumulate", "fft-accumulate"):
            self.total.zero_()
            self.ways[name]()
        restore = self.unscaled.get(self.ways[name])
        if restore:
            restore()
        result = self.ways[name]()
        count = min(self.lines, 8)
        if self.kind.split("-")[0] in ("box", "general"):
            return self.window_error(result, count)
        if self.kind == "axes":
            got, wanted = result, torch.fft.fftn(self.x.to(torch.complex128), dim=self.axes)
        elif self.kind == "transpose":
            got, wanted = result[:count], self.x[:, :count].t().to(torch.complex128)
        elif self.kind == "real-fft":
            got, wanted = result[:count], torch.fft.rfft(self.x[:count].to(torch.float64))
        elif self.kind == "real-ifft":
            got, wanted = result[:count] / (self.n if restore else 1), torch.fft.irfft(self.x[:count].to(torch.complex128), self.n)
        elif self.kind == "accumulate":
            got, wanted = result[:count], 2 * self.x[:count].to(torch.complex128)
        else:
            got, wanted = result[:count], torch.fft.fft(self.x[:count].to(torch.complex128))
            if self.kind == "fft-accumulate":
                wanted = 2 * wanted
            if self.kind == "filter":
                wanted = torch.fft.ifft(wanted * self.h.to(torch.complex128))
        difference = torch.linalg.vector_norm(got.to(torch.complex128) - wanted)
        return (difference / torch.linalg.vector_norm(wanted)).item()


def describe():
    if not torch.cuda.is_available():
        raise RuntimeError("PyTorch sees no CUDA device")
    libraries = f"PyTorch {torch.__version__}" + (f", CuPy {cupy.__version__}" if cupy else "")
    return f"cuFFT through {libraries}, CUDA {torch.version.cuda}, {torch.cuda.get_device_name(0)}"


def main():
    work = None
    for line in sys.stdin:
        try:
            ask = json.loads(line)
            if ask["do"] == "describe":
                answer = {"description": describe()}
            elif ask["do"] == "open":
                work = None
                torch.cuda.empty_cache()
                if cupy:
                    cupy.get_default_memory_pool().free_all_blocks()
                work = Work(ask["kind"], ask["lines"], ask["n"], ask.get("folder"), {key: ask.get(key) for key in ("what", "axes", "dtype", "bins")}, ask.get("how"), ask.get("shape"))
                answer = {"names": list(work.ways), "failed": work.failed}
            elif ask["do"] == "sample":
                answer = {"milliseconds": work.sample(ask["name"], ask["runs"])}
            else:
                answer = {"relative": work.error(ask["name"])}
        except Exception as error:  # noqa: BLE001: the caller decides
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


main()
