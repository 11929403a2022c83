npm install @dechirp/experiments @dechirp/core @dechirp/fft-cpu
