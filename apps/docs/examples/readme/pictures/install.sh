npm install @dechirp/pictures @dechirp/core
