npm install @dechirp/sar @dechirp/core @dechirp/fft-cpu
