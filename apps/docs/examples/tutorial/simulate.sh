npx dechirp simulate --preset default --out scene
