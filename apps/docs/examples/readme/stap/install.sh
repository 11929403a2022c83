npm install @dechirp/stap @dechirp/core
