npm install @dechirp/core @dechirp/fft-cpu @dechirp/fft-gpu @dechirp/io @dechirp/pictures @dechirp/radar @dechirp/sar webgpu
