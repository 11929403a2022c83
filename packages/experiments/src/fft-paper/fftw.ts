/**
 * FFTW as a peer: a Python process that calls the library fftw3f through ctypes, so that neither headers nor a compiler are needed. It
 * times itself, and compares some of its bins with the definition in float64. This module runs in Node only.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A library in another process. */
export interface FftPeer extends Disposable {
  /** The name of its rows. */
  readonly name: string;
  /** Version and settings. */
  readonly description: string;
  /** Milliseconds of a batch of transforms of n points, the mean over `runs`, and the relative L2 error of the result. */
  time(n: number, batch: number, runs: number): Promise<{ readonly milliseconds: number; readonly error: number }>;
}

/**
 * Answers each line `n batch runs` of its input with `milliseconds error`. Single precision, one thread, out of place, FFTW_MEASURE. The
 * error is of 12 bins of the first and the last line. The first line that it writes is the library's version.
 */
const script = `
import cmath, ctypes, ctypes.util, random, sys, time
names = ["libfftw3f.so.3", "libfftw3f.3.dylib", "/opt/homebrew/lib/libfftw3f.3.dylib", "libfftw3f-3.dll", ctypes.util.find_library("fftw3f")]
library = None
for name in names:
    try:
        library = ctypes.CDLL(name) if name else None
    except OSError:
        pass
    if library:
        break
if not library:
    print("absent", flush=True)
    sys.exit(0)
pointer, number = ctypes.c_void_p, ctypes.c_int
library.fftwf_malloc.restype = pointer
library.fftwf_malloc.argtypes = [ctypes.c_size_t]
library.fftwf_free.argtypes = [pointer]
plan_many = library.fftwf_plan_many_dft
plan_many.restype = pointer
plan_many.argtypes = [number, pointer, number, pointer, pointer, number, number, pointer, pointer, number, number, number, ctypes.c_uint]
library.fftwf_execute.argtypes = [pointer]
library.fftwf_destroy_plan.argtypes = [pointer]
print((ctypes.c_char * 64).in_dll(library, "fftwf_version").value.decode(), flush=True)
held, plan, x, y = None, None, None, None
source = random.Random(1)
for line in sys.stdin:
    n, batch, runs = map(int, line.split())
    if held != (n, batch):
        if plan:
            library.fftwf_destroy_plan(plan)
            library.fftwf_free(x)
            library.fftwf_free(y)
        size = 2 * n * batch
        x, y = library.fftwf_malloc(4 * size), library.fftwf_malloc(4 * size)
        plan = plan_many(1, ctypes.byref(number(n)), batch, x, None, 1, n, y, None, 1, n, -1, 0) if x and y else None
        held = (n, batch)
        if plan:
            block = (ctypes.c_float * min(size, 65536))(*(source.random() - 0.5 for _ in range(min(size, 65536))))
            for at in range(0, size, len(block)):
                ctypes.memmove(x + 4 * at, block, 4 * min(len(block), size - at))
            library.fftwf_execute(plan)
    if not plan:
        print("nan nan", flush=True)
        continue
    start = time.perf_counter()
    for _ in range(runs):
        library.fftwf_execute(plan)
    milliseconds = 1e3 * (time.perf_counter() - start) / runs
    wrong = energy = 0.0
    for first in {0, 2 * n * (batch - 1)}:
        line_in = (ctypes.c_float * (2 * n)).from_address(x + 4 * first)
        line_out = (ctypes.c_float * (2 * n)).from_address(y + 4 * first)
        for k in (i * 7919 % n for i in range(12)):
            exact = sum(complex(line_in[2 * i], line_in[2 * i + 1]) * cmath.exp(-2j * cmath.pi * (i * k % n) / n) for i in range(n))
            wrong += abs(complex(line_out[2 * k], line_out[2 * k + 1]) - exact) ** 2
            energy += abs(exact) ** 2
    print(milliseconds, (wrong / energy) ** 0.5, flush=True)
`;

/** Starts FFTW, or returns the reason why this machine has none. */
export async function startFftw(): Promise<FftPeer | string> {
  const child = spawn("python3", ["-c", script], { stdio: ["pipe", "pipe", "ignore"] });
  const waiting: ((line: string | undefined) => void)[] = [];
  let gone = false;
  const end = (): void => {
    gone = true;
    for (const resolve of waiting.splice(0)) resolve(undefined);
  };
  child.on("error", end);
  child.on("exit", end);
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => waiting.shift()?.(line));
  const next = (): Promise<string | undefined> =>
    gone ? Promise.resolve(undefined) : new Promise((resolve) => void waiting.push(resolve));
  const version = await next();
  if (version === undefined) return "python3, which calls FFTW, could not be started";
  if (version === "absent") return "the library fftw3f (FFTW in single precision) is not installed";
  return {
    name: "FFTW, one thread",
    description: `${version}, single precision, FFTW_MEASURE, one thread, out of place`,
    async time(n, batch, runs) {
      const answer = next();
      child.stdin.write(`${n} ${batch} ${runs}\n`);
      const [milliseconds = Number.NaN, error = Number.NaN] = ((await answer) ?? "").split(" ").filter(Boolean).map(Number);
      return { milliseconds, error };
    },
    [Symbol.dispose]() {
      child.stdin.end();
      child.kill();
    },
  };
}
