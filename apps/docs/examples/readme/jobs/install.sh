npm install @dechirp/jobs @dechirp/core @dechirp/fft-cpu @dechirp/sar
