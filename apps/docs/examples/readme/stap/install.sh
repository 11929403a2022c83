npm install @dechirp/stap @dechirp/core @dechirp/fft-cpu
