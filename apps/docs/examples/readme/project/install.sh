npm install @dechirp/core @dechirp/fft-cpu @dechirp/sar
