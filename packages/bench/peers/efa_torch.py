"""The extended factored algorithm in PyTorch, on cuFFT, cuBLAS and batched solvers: the peer of the GPU bench's EFA.

Reads a folder (scene.json: channels, pulses, dopplerBins, ranges, blockRanges, temporalTaps, steeringVectors, dataSets; cubes.c64
[set][channel][pulse][range], steering.c64 [vector][n], y.f32 [vector][bin][range], the expected output of the first set). The
steps are zero-padded transforms, snapshots of every window as one array Q [bin][block][n][cell], Q Q^H and means of neighbouring
blocks as batched products, batched solves with all steering vectors, filters that are scaled before they are applied, and squares,
in complex64 with TF32 off. If a step has several forms, each is timed and the fastest is used; also in CUDA graphs, one per data
set, and with the squares compiled. y stays [bin][block][vector][cell], as the products return it. The data sets take turns. Use by
hand, on any device:
    python3 efa_torch.py FOLDER
"""
import itertools
import json
import sys
import time
from pathlib import Path

import torch

TUNED_RUNS = 10


def complex_file(path, *shape):
    return torch.from_file(str(path), size=2 * torch.Size(shape).numel(), dtype=torch.float32).view(*shape, 2).clone()


def gains_of(w, v):
    return (w.conj() * v).sum(-2).real


def by_cholesky(r, v):
    factor = torch.linalg.cholesky_ex(r).L
    w = torch.cholesky_solve(v.expand(*r.shape[:2], *v.shape), factor)
    return w, gains_of(w, v)


def by_triangles(r, v):
    factor = torch.linalg.cholesky_ex(r).L
    z = torch.linalg.solve_triangular(factor, v.expand(*r.shape[:2], *v.shape), upper=False)
    w = torch.linalg.solve_triangular(factor.mH, z, upper=True)
    return w, (z.real.square() + z.imag.square()).sum(-2)


def by_inverse_factor(r, v):
    factor = torch.linalg.cholesky_ex(r).L
    one = torch.eye(r.shape[-1], dtype=r.dtype, device=r.device).expand_as(r)
    inverse = torch.linalg.solve_triangular(factor, one, upper=False)
    z = inverse @ v
    return inverse.mH @ z, (z.real.square() + z.imag.square()).sum(-2)


def by_lu(r, v):
    w = torch.linalg.solve_ex(r, v.expand(*r.shape[:2], *v.shape)).result
    return w, gains_of(w, v)


def by_inverse(r, v):
    w = torch.linalg.inv_ex(r).inverse @ v
    return w, gains_of(w, v)


SOLVES = {
    "cholesky, cholesky_solve": by_cholesky,
    "cholesky, two solve_triangular": by_triangles,
    "cholesky, inverse factor": by_inverse_factor,
    "solve (LU)": by_lu,
    "inv": by_inverse,
}

POWERS = {
    "square, addcmul": lambda z: z.real.square().addcmul_(z.imag, z.imag),
    "view_as_real, square, sum": lambda z: torch.view_as_real(z).square().sum(-1),
    "abs, square": lambda z: z.abs().square_(),
}


class Efa:
    def __init__(self, folder, device):
        torch.backends.cuda.matmul.allow_tf32 = False
        folder = Path(folder)
        self.device, self.scene = device, json.loads((folder / "scene.json").read_text())
        names = ("channels", "pulses", "dopplerBins", "ranges", "blockRanges", "temporalTaps", "steeringVectors", "dataSets")
        m, self.pulses, bins, ranges, b, taps, vectors, sets = (self.scene[name] for name in names)
        blocks, n = ranges // b, m * taps
        self.cubes = torch.view_as_complex(complex_file(folder / "cubes.c64", sets, m, self.pulses, ranges)).to(device)
        self.v = torch.view_as_complex(complex_file(folder / "steering.c64", vectors, n)).to(device).mT.contiguous()
        self.wanted = torch.from_file(str(folder / "y.f32"), size=vectors * bins * ranges).view(vectors, bins, blocks, b).to(device)
        self.padded = torch.zeros((m, ranges, bins), dtype=torch.complex64, device=device)
        self.sizes = m, bins, ranges, b, blocks, taps, n
        # Means of the training blocks of each block: its neighbours, or the two nearest at the edges.
        mean = torch.zeros((blocks, blocks), dtype=torch.complex64)
        for block in range(blocks):
            for one in (1, 2) if block == 0 else (blocks - 2, blocks - 3) if block == blocks - 1 else (block - 1, block + 1):
                mean[block, one] = 0.5 / b
        self.mean = mean.to(device)
        self.gathers = {"rows of ranges": self.turned, "rows of bins": self.straight}
        self.chosen = {"gather": self.turned, "solve": by_cholesky, "power": POWERS["square, addcmul"]}
        self.graphs = None

    def transform(self, cube):
        """X [channel][range][bin]."""
        self.padded[:, :, : self.pulses].copy_(cube.mT)
        return torch.fft.fft(self.padded)

    def windows(self, x, dim):
        """A view with the taps of every window as its last axis."""
        _, bins, _, _, _, taps, _ = self.sizes
        low = taps // 2
        wrapped = torch.cat([x.narrow(dim, bins - low, low), x, x.narrow(dim, 0, taps - 1 - low)], dim)
        return wrapped.unfold(dim, taps, 1)

    def turned(self, x):
        m, bins, _, b, blocks, taps, n = self.sizes
        q = self.windows(x.mT, 1).view(m, bins, blocks, b, taps)
        return q.permute(1, 2, 0, 4, 3).reshape(bins, blocks, n, b)

    def straight(self, x):
        m, bins, _, b, blocks, taps, n = self.sizes
        q = self.windows(x, 2).view(m, blocks, b, bins, taps)
        return q.permute(3, 1, 0, 4, 2).reshape(bins, blocks, n, b)

    def chain(self, cube, gather=None, solve=None, power=None):
        _, bins, _, _, blocks, _, n = self.sizes
        q = (gather or self.chosen["gather"])(self.transform(cube))
        t = q @ q.mH
        r = (self.mean @ t.view(bins, blocks, n * n)).view(bins, blocks, n, n)
        w, gains = (solve or self.chosen["solve"])(r, self.v)
        w = w * gains.rsqrt().unsqueeze(-2)
        return (power or self.chosen["power"])(w.mH @ q)

    def spent(self, run):
        """Milliseconds of one run."""
        run()
        if self.device == "cpu":
            start = time.perf_counter()
            run()
            return 1e3 * (time.perf_counter() - start)
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        run()
        begin.record()
        for _ in range(TUNED_RUNS):
            run()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / TUNED_RUNS

    def tune(self, step, ways):
        """The variants of a step that work and are correct, by time. The first one is used."""
        found = []
        for name, way in ways.items():
            try:
                spent = self.spent(lambda: self.chain(self.cubes[0], **{step: way}))
                error = self.error(lambda _: self.chain(self.cubes[0], **{step: way}))
                print(f"efa_torch: {step}: {name}: {spent:.4f} ms, {error:.1e}", file=sys.stderr)
                if error < 1e-4:
                    found.append((spent, name, way))
            except Exception as error:  # noqa: BLE001: another variant is used
                print(f"efa_torch: {step}: {name}: {type(error).__name__}: {error}", file=sys.stderr)
        if not found:
            raise RuntimeError(f"no way of {step} is right")
        found.sort(key=lambda one: one[0])
        self.chosen[step] = found[0][2]
        return found

    def ways(self):
        """Makers of functions of a data set's number, by default the next one."""
        gather = self.tune("gather", self.gathers)[0][1]
        self.solves = self.tune("solve", SOLVES)
        power = self.tune("power", POWERS)[0][1]

        def eager():
            return self.in_turn(lambda i, chain=self.fixed(): chain(self.cubes[i]))

        def written_down():
            return self.in_turn(lambda i: self.chain(self.cubes[i], self.turned, by_cholesky, POWERS["view_as_real, square, sum"]))

        def compiled():
            square = torch.compile(lambda z: (z * z).sum(-1), dynamic=False)
            self.chosen["power"] = lambda z: square(torch.view_as_real(z))
            return eager()

        made = {"PyTorch, as first written down": written_down, f"PyTorch, {self.solves[0][1]}; {gather}; {power}": eager}
        if self.device != "cpu":
            made["PyTorch, CUDA graphs"] = self.captured
            made["PyTorch, squares compiled"] = compiled
            made["PyTorch, squares compiled, CUDA graphs"] = self.captured
        return made

    def fixed(self):
        chosen = dict(self.chosen)
        return lambda cube: self.chain(cube, **chosen)

    def in_turn(self, run):
        turns = itertools.cycle(range(len(self.cubes)))
        return lambda i=None: run(next(turns) if i is None else i)

    def captured(self):
        """The fastest solve that can be captured."""
        for _, name, solve in self.solves:
            try:
                self.chosen["solve"] = solve
                graphs, first = self.capture(self.fixed())
                print(f"efa_torch: solve in graphs: {name}", file=sys.stderr)
                break
            except Exception as error:  # noqa: BLE001: the next one may work
                torch.cuda.synchronize()
                print(f"efa_torch: no graph of {name}: {type(error).__name__}: {error}", file=sys.stderr)
        else:
            raise RuntimeError("no solver can be captured")
        self.chosen["solve"] = self.solves[0][2]

        def run(i):
            graphs[i].replay()
            return first

        return self.in_turn(run)

    def capture(self, chain):
        """A graph per data set, in one pool, and the output of the first."""
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                chain(self.cubes[0])
        torch.cuda.current_stream().wait_stream(stream)
        graphs, pool, first = [], torch.cuda.graph_pool_handle(), None
        for cube in self.cubes:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, pool=pool):
                y = chain(cube)
            first = y if first is None else first
            graphs.append(graph)
        return graphs, first

    def error(self, way):
        """Relative L2 error of the first set's output."""
        y = way(0).permute(2, 0, 1, 3).to(torch.float64)
        wanted = self.wanted.to(torch.float64)
        return (torch.linalg.vector_norm(y - wanted) / torch.linalg.vector_norm(wanted)).item()


def main():
    efa = Efa(sys.argv[1], "cuda" if torch.cuda.is_available() else "cpu")
    for name, make in efa.ways().items():
        way = make()
        print(json.dumps({"way": name, "milliseconds": efa.spent(way), "error": efa.error(way)}))


if __name__ == "__main__":
    main()
