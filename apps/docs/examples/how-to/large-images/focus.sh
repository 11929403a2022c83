dechirp simulate --type ci8 --out scene
dechirp focus scene --out image --memory 12MB --dry-run
dechirp focus scene --out image --memory 12MB
