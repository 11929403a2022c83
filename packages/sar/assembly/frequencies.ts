/**
 * AssemblyScript. Puts frequencies in their places, weighted: load of range compression. Argument: samples c64 [pulses][count],
 * weights f32 [count], bins, shift, count. Element e of a pulse is frequency (e + shift) mod bins, zero from `count` on.
 */

export function frequencies(argument: usize, start: u32, elements: u32, out: usize): void {
  const bins = u32(load<f32>(argument, 8));
  const shift = u32(load<f32>(argument, 12));
  const count = u32(load<f32>(argument, 16));
  const pulse = start / bins;
  const samples = usize(load<u32>(argument)) + usize(pulse) * usize(count) * 8;
  const weights = usize(load<u32>(argument, 4));
  let k = (start - pulse * bins + shift) % bins;
  for (let left = elements; left > 0; ) {
    if (k >= count) {
      const zeros = min(left, bins - k);
      memory.fill(out, 0, usize(zeros) * 8);
      out += usize(zeros) * 8;
      left -= zeros;
      k = 0;
      continue;
    }
    const here = min(left, count - k);
    let x = samples + usize(k) * 8;
    let w = weights + usize(k) * 4;
    const end = out + usize(here) * 8;
    for (; end - out >= 16; out += 16, x += 16, w += 8) {
      const pair = v128.load64_zero(w);
      v128.store(out, f32x4.mul(v128.shuffle<f32>(pair, pair, 0, 0, 1, 1), v128.load(x)));
    }
    if (out < end) {
      store<f32>(out, load<f32>(w) * load<f32>(x));
      store<f32>(out, load<f32>(w) * load<f32>(x, 4), 4);
      out += 8;
    }
    left -= here;
    k = k + here === bins ? 0 : k + here;
  }
}
