npx dechirp bench realtime-paper --device auto --out bench
