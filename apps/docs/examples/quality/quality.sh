dechirp simulate --preset quality --out scene > log
dechirp focus scene --out image > log
dechirp quality image
