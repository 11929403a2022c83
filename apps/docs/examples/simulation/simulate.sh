dechirp simulate --preset quality --out scene
ls scene
