npm install @dechirp/fft-gpu webgpu
