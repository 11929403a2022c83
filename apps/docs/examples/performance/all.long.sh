npx dechirp bench all --out bench
