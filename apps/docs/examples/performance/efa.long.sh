npx dechirp bench efa-paper --device auto --out bench
