npm install --save-dev @dechirp/conformance
