npx dechirp demo --out out
