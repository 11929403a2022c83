npm install @dechirp/core @dechirp/fft-gpu webgpu
