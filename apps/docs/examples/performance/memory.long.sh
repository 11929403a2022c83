npx dechirp bench memory --out bench-memory
