npx dechirp bench backprojection-paper --device auto --out bench
