npm install @dechirp/processor @dechirp/core @dechirp/sar @dechirp/fft-cpu
