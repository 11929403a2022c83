npm install --save-dev @dechirp/conformance @dechirp/core @dechirp/fft-cpu vitest
