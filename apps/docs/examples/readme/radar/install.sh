npm install @dechirp/radar
