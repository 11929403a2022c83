dechirp simulate --type ci8 --out scene
dechirp focus scene --out image --memory 30MB --dry-run
dechirp focus scene --out image --memory 30MB
