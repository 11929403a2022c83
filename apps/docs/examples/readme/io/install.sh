npm install @dechirp/io @dechirp/core
