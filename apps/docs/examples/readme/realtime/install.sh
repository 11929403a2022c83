npm install @dechirp/realtime @dechirp/core
