#!/usr/bin/env python3
"""Range-Doppler imaging in plain numpy, which dechirp's processor is compared with.

Reads a scene folder (scene.json, raw.npy) with a Doppler centroid, does the textbook steps one after
another on whole arrays in complex64 (range matched filter, azimuth FFT, secondary range compression at mid swath, RCMC by
an 8-tap Kaiser sinc, azimuth compression) and prints one line of JSON: milliseconds of each step, and the image's entropy.

    python3 range_doppler.py SCENE_FOLDER [--repeat N]
"""
import json
import sys
import time
from pathlib import Path

import numpy as np

C = 299_792_458.0


def kaiser(n, beta):
    x = (np.arange(n) + 0.5) / n * 2 - 1
    return np.i0(beta * np.sqrt(1 - x * x)) / np.i0(beta)


def load(folder):
    scene = json.loads((folder / "scene.json").read_text())
    raw = np.load(folder / scene["raw"])
    if raw.dtype.kind != "c":
        raw = raw[..., 0].astype(np.float32) + 1j * raw[..., 1].astype(np.float32)
    gain = np.asarray(scene.get("lineGain") or np.ones(raw.shape[0]), dtype=np.float32)
    return scene, raw.astype(np.complex64), gain


def focus(radar, raw, gain, band):
    clock, marks = time.perf_counter, []
    start = clock()

    def mark(name):
        nonlocal start
        now = clock()
        marks.append((name, 1e3 * (now - start)))
        start = now

    f0, fr, prf = radar["carrierHz"], radar["samplingRateHz"], radar["prfHz"]
    kr, tp, v = radar["chirpRateHzPerSecond"], radar["pulseSeconds"], radar["velocityMetersPerSecond"]
    near, fdc = radar["nearRangeMeters"], radar["dopplerCentroidHz"]
    lines, samples = raw.shape
    pulse = int(np.floor(tp * fr + 1e-9))
    cells = samples - pulse + 1
    nr = 1 << (samples - 1).bit_length()
    nr = nr if nr > samples else 2 * nr
    na = 1 << (lines - 1).bit_length()
    spacing = C / (2 * fr)

    u = np.arange(pulse) / fr - tp / 2
    replica = kaiser(pulse, 2.5) * np.exp(1j * np.pi * kr * u * u)
    matched = np.conj(np.fft.fft(replica, nr)).astype(np.complex64)
    compressed = np.fft.ifft(np.fft.fft(raw * gain[:, None], nr, axis=1) * matched, axis=1)[:, :cells].astype(np.complex64)
    mark("range")

    spectrum = np.fft.fft(compressed, na, axis=0).astype(np.complex64)
    fa = np.arange(na) * prf / na
    fa = fa + prf * np.round((fdc - fa) / prf)
    mark("doppler")

    d = np.sqrt(1 - (C * fa / (2 * v * f0)) ** 2)
    dc = np.sqrt(1 - (C * fdc / (2 * v * f0)) ** 2)
    middle = (near + (cells - 1) / 2 * spacing) * dc
    src = (2 * v * v * f0**3 * d**3) / (C * middle * fa**2 + 1e-30)
    frange = np.fft.fftfreq(nr, 1 / fr)
    spectrum = np.fft.fft(spectrum, nr, axis=1)
    spectrum *= np.exp(1j * -np.pi * frange[None, :] ** 2 / src[:, None]).astype(np.complex64)
    spectrum = np.fft.ifft(spectrum, axis=1)[:, :cells].astype(np.complex64)
    mark("secondary range compression")

    i = np.arange(cells)
    shift = (near / spacing + i)[None, :] * (dc / d - 1)[:, None]
    whole = np.floor(shift).astype(np.int64)
    frac = shift - whole
    straight = np.zeros((na, cells), np.complex64)
    rows = np.arange(na)[:, None]
    for tap in range(-3, 5):
        at = i[None, :] + whole + tap
        x = tap - frac
        weight = np.sinc(x) * np.i0(2.5 * np.sqrt(np.maximum(0, 1 - (x / 4) ** 2))) / np.i0(2.5)
        inside = (at >= 0) & (at < cells)
        straight += np.where(inside, spectrum[rows, np.clip(at, 0, cells - 1)], 0) * weight.astype(np.float32)
    mark("rcmc")

    ranges = (near + i * spacing) * dc
    x = (fa - fdc) / band
    window = np.where(np.abs(x) <= 0.5, np.i0(2.5 * np.sqrt(np.maximum(0, 1 - (2 * x) ** 2))) / np.i0(2.5), 0)
    cycles = 2 * f0 / C * ranges[None, :] * (d - 1)[:, None]
    straight *= np.exp(2j * np.pi * (cycles - np.round(cycles))).astype(np.complex64) * window[:, None].astype(np.float32)
    image = np.fft.ifft(straight, axis=0).astype(np.complex64)
    mark("azimuth compression")
    return image, marks


def entropy(image):
    p = np.abs(image.astype(np.complex128)) ** 2
    p = p[p > 0] / p.sum()
    return float(-(p * np.log(p)).sum())


def main():
    folder = Path(sys.argv[1])
    repeat = int(sys.argv[sys.argv.index("--repeat") + 1]) if "--repeat" in sys.argv else 1
    scene, raw, gain = load(folder)
    radar = scene["radar"]
    totals = []
    for _ in range(repeat):
        image, marks = focus(radar, raw, gain, scene.get("processedBandwidthHz") or radar["prfHz"])
        totals.append(sum(ms for _, ms in marks))
    print(json.dumps({"peer": f"numpy {np.__version__}", "milliseconds": totals, "stages": dict(marks), "entropy": entropy(image), "shape": image.shape}))


main()
