dechirp schedule simulate tasks.json --out trace
