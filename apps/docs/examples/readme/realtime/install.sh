npm install @dechirp/realtime @dechirp/core @dechirp/fft-cpu
