npx dechirp bench fused-sar-paper --device auto --out bench
