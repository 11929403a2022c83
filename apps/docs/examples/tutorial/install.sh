npm install @dechirp/core @dechirp/fft-cpu @dechirp/fft-gpu @dechirp/io @dechirp/sar webgpu
