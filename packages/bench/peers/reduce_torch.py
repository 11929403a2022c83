"""Reductions and histograms by PyTorch, for cufft.py. Results are compared with those of float64."""
import torch


class Reduce:
    """One reduction of random numbers between -1/2 and 1/2."""

    def __init__(self, lines, n, what, axes, dtype, bins, device="cuda"):
        self.what, self.axes, self.bins = what, tuple(axes), bins
        generator = torch.Generator(device=device).manual_seed(2)

        def numbers():
            shape = (lines, n, 2) if dtype == "c64" else (lines, n)
            made = torch.rand(shape, generator=generator, device=device) - 0.5
            return torch.view_as_complex(made) if dtype == "c64" else made

        self.x = numbers()
        self.y = numbers() if what == "product" else None

    def ways(self):
        """Functions that make functions that return the result, by name."""
        x, y, axes, what = self.x, self.y, self.axes, self.what
        if what == "sum":
            return {"PyTorch sum": lambda: lambda: torch.sum(x, axes)}
        if what == "sum of squares":
            return {"PyTorch vector_norm": lambda: lambda: torch.linalg.vector_norm(x, dim=axes) ** 2}
        if what == "product" and len(axes) == 2:
            return {"PyTorch vdot": lambda: lambda: torch.vdot(y.view(-1), x.view(-1))}
        if what == "product":
            return {
                "PyTorch vecdot": lambda: lambda: torch.linalg.vecdot(y, x, dim=axes[0]),
                "PyTorch sum of a product": lambda: lambda: torch.sum(x * y.conj(), axes),
            }
        if what == "max":
            return {"PyTorch amax": lambda: lambda: torch.amax(x, axes)}
        if what == "argmax":
            return {"PyTorch argmax": lambda: lambda: torch.argmax(x, None if len(axes) == 2 else axes[0])}
        if what == "histogram":
            return {"PyTorch histc": lambda: lambda: torch.histc(x, self.bins, -0.5, 0.5)}
        raise ValueError(f"no such reduction: {what}")

    def error(self, way):
        """The largest error relative to the sum of magnitudes; 0 or 1 for maxima; for counts, the number of values."""
        result, what, axes = way(), self.what, self.axes
        if what in ("max", "argmax"):
            wanted = self.ways()[next(iter(self.ways()))]()()
            most = torch.amax(self.x, axes)
            if what == "max":
                return float((result != most).any())
            found = self.x.view(-1)[result] if len(axes) == 2 else torch.gather(self.x, axes[0], wanted.unsqueeze(axes[0])).squeeze(axes[0])
            return float((found != most).any())
        if what == "histogram":
            return float(result.double().sum().item() != self.x.numel())
        total, size = 0, 0
        # In parts, because float64 takes twice the memory.
        parts = 16 if 0 in axes else 1
        for part in range(parts):
            rows = slice(part * self.x.shape[0] // parts, (part + 1) * self.x.shape[0] // parts)
            x = self.x[rows].to(torch.complex128)
            y = self.y[rows].to(torch.complex128).conj() if what == "product" else x.conj() if what == "sum of squares" else torch.ones_like(x)
            total = total + torch.sum(x * y, axes)
            size = size + torch.sum(x.abs() * y.abs(), axes)
        return ((result.to(torch.complex128) - total).abs() / size).max().item()
