"""Resampling of rows by 8 taps of a Kaiser-windowed sinc, with a phase, in PyTorch: by index arithmetic, eager and compiled.

Each row is moved and stretched, linear in the index, and turned, as the bench's gather along rows does. Weights are blended from two rows
of a table of 2048 phases, which PyTorch gathers as well; positions are computed in float64 and kept as an index and a float32 fraction.
"""
import torch

TAPS, PHASES, BETA = 8, 2048, 3.0


def weights_table(device):
    """[PHASES + 1, TAPS], float32: windowed sinc at delays 0, 1/PHASES … 1, each row with sum 1."""
    delay = torch.arange(PHASES + 1, dtype=torch.float64, device=device)[:, None] / PHASES
    d = torch.arange(TAPS, dtype=torch.float64, device=device)[None] - TAPS // 2 + 1 - delay
    window = torch.special.i0(BETA * torch.sqrt(torch.clamp(1 - 4 * (d / TAPS) ** 2, min=0)))
    rows = torch.sinc(d) * window
    return (rows / rows.sum(1, keepdim=True)).float()


def resample(parts, table, start, slope, base, turn):
    """x[line, position] for positions index + start[line] + slope[line]·index, times exp(j2π(base + turn·index)), all [lines, n, 2]."""
    _, n, _ = parts.shape
    index = torch.arange(n, device=parts.device, dtype=torch.int32)[None]
    shift = start[:, None] + slope[:, None] * index
    whole = torch.floor(shift)
    place = ((shift - whole) * PHASES).to(parts.dtype)
    row = torch.clamp(place.to(torch.int32), max=PHASES - 1)
    blend = (place - row)[..., None]
    near, after = table[row], table[row + 1]
    weights = near + blend * (after - near)
    first = index + whole.to(torch.int32) - (TAPS // 2 - 1)
    re, im = torch.zeros_like(place), torch.zeros_like(place)
    for j in range(TAPS):
        at = first + j
        inside = (at >= 0) & (at < n)
        at = torch.clamp(at, 0, n - 1).long()
        weight = torch.where(inside, weights[..., j], 0)
        re = re + weight * torch.gather(parts[..., 0], 1, at)
        im = im + weight * torch.gather(parts[..., 1], 1, at)
    cycles = base[:, None] + turn[:, None] * index
    angle = (6.283185307179586 * (cycles - torch.round(cycles))).to(parts.dtype)
    c, s = torch.cos(angle), torch.sin(angle)
    return torch.stack((re * c - im * s, re * s + im * c), dim=-1)


class Gather:
    def __init__(self, x):
        self.parts = torch.view_as_real(x)
        u = torch.arange(x.shape[0], device=x.device, dtype=torch.float64) / x.shape[0] - 0.5
        self.lines = [0.3 + 8 * u, u / 128, 10 * u, 0.1 * u]
        self.table = weights_table(x.device)

    def ways(self):
        arguments = [self.parts, self.table, *self.lines]

        def compiled():
            # The compiler takes real arrays only.
            one = torch.compile(resample)
            return lambda: one(*arguments)

        return {"PyTorch eager": lambda: lambda: resample(*arguments), "PyTorch compiled": compiled}

    def error(self, got):
        """Relative L2 of eight rows against float64."""
        rows = slice(0, min(8, self.parts.shape[0]))
        wanted = resample(self.parts[rows].double(), self.table.double(), *(line[rows] for line in self.lines))
        difference = torch.linalg.vector_norm(got[rows].double() - wanted)
        return (difference / torch.linalg.vector_norm(wanted)).item()
