"""Range-Doppler imaging with cuFFT, step by step, which the GPU bench's images are compared with.

From samples [lines][n] to an image [lines][cells]: filter rows in the frequency domain, transform columns, add eight weighted
samples along each Doppler row (range cell migration correction), multiply by a phase for every Doppler frequency and cell, transform
columns back. Filters, weights, indices and phases are computed before the clock starts; 1/n is part of the row filter.
"""
import torch

TAPS = 8

# Gather, weights and phase in one kernel, as PyTorch takes about thirty passes for them.
GATHER = """
#include <cupy/complex.cuh>
extern "C" __global__ void gather(const complex<float>* x, const int* first, const float* weights, const complex<float>* phase,
                                  complex<float>* out, int width, int cells, long long count) {
  long long e = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (e >= count) return;
  const complex<float>* from = x + (e / cells) * width + first[e];
  float re = 0, im = 0;
  for (int j = 0; j < 8; j++) {
    float w = weights[e * 8 + j];
    re += w * from[j].real();
    im += w * from[j].imag();
  }
  out[e] = complex<float>(re, im) * phase[e];
}
"""


class Rda:
    def __init__(self, x, cupy):
        self.x, self.cupy = x, cupy
        lines, n = x.shape
        self.width, self.cells = n - n // 16, n - n // 16 - 16
        generator = torch.Generator(device="cuda").manual_seed(2)
        angle = 6.2831853 * torch.rand(n, generator=generator, device="cuda")
        self.h = torch.polar(torch.ones_like(angle), angle)
        # Migration of up to four cells, quadratic in Doppler, slightly more at far range.
        doppler = torch.fft.fftfreq(lines, device="cuda", dtype=torch.float64)[:, None]
        cell = torch.arange(self.cells, device="cuda", dtype=torch.float64)[None, :]
        shift = 16 * doppler**2 * (1 + 0.1 * cell / n)
        whole = torch.floor(shift)
        self.first = (cell + whole).to(torch.int64)
        at = (shift - whole)[:, :, None] - torch.arange(TAPS, device="cuda")[None, None, :] + TAPS // 2 - 1
        weights = torch.sinc(at) * torch.cos(torch.pi * at / (TAPS + 1)) ** 2
        self.weights = (weights / weights.sum(2, keepdim=True)).to(torch.float32)
        turn = 2 * torch.pi * torch.rand((lines, self.cells), generator=generator, device="cuda")
        self.phase = torch.polar(torch.ones_like(turn), turn)

    def ways(self):
        made = {"PyTorch": self.torch_way}
        return made | ({"PyTorch, gather by hand in CUDA": self.by_hand} if self.cupy else {})

    def torch_way(self):
        scaled = self.h / self.x.shape[1]
        indices = [self.first + j for j in range(TAPS)]
        weights = [self.weights[:, :, j].contiguous() for j in range(TAPS)]

        def run():
            y = torch.fft.fft(self.x)
            y *= scaled
            y = torch.fft.ifft(y, norm="forward")[:, : self.width]
            y = torch.fft.fft(y, dim=0)
            z = weights[0] * torch.gather(y, 1, indices[0])
            for j in range(1, TAPS):
                z.addcmul_(weights[j], torch.gather(y, 1, indices[j]))
            z *= self.phase
            return torch.fft.ifft(z, dim=0)

        return run

    def by_hand(self):
        cupy = self.cupy
        scaled = self.h / self.x.shape[1]
        gather = cupy.RawKernel(GATHER, "gather")
        lines = self.x.shape[0]
        count = lines * self.cells
        first, weights, phase = (cupy.from_dlpack(t.contiguous()) for t in (self.first.to(torch.int32), self.weights, self.phase))
        z = torch.empty((lines, self.cells), dtype=torch.complex64, device="cuda")
        target = cupy.from_dlpack(z)

        def run():
            y = torch.fft.fft(self.x)
            y *= scaled
            y = torch.fft.ifft(y, norm="forward")[:, : self.width]
            y = torch.fft.fft(y, dim=0).contiguous()
            with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
                arguments = (cupy.from_dlpack(y), first, weights, phase, target, self.width, self.cells, count)
                gather(((count + 255) // 256,), (256,), arguments)
            return torch.fft.ifft(z, dim=0)

        return run

    def error(self, image):
        """Relative L2 error of the first cells against complex128."""
        some = min(self.cells, 8)
        y = torch.fft.ifft(torch.fft.fft(self.x.to(torch.complex128)) * self.h.to(torch.complex128))[:, : some + TAPS + 16]
        y = torch.fft.fft(y, dim=0)
        z = torch.zeros((self.x.shape[0], some), dtype=torch.complex128, device="cuda")
        for j in range(TAPS):
            z += self.weights[:, :some, j].to(torch.float64) * torch.gather(y, 1, self.first[:, :some] + j)
        wanted = torch.fft.ifft(z * self.phase[:, :some].to(torch.complex128), dim=0)
        return (torch.linalg.vector_norm(image[:, :some].to(torch.complex128) - wanted) / torch.linalg.vector_norm(wanted)).item()
