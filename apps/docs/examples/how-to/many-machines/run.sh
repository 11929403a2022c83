dechirp simulate --preset spotlight --out recording
dechirp job plan recording/spotlight.cphd --out job --tile 256 --format png,sicd
dechirp job run job --workers 2
dechirp job status job
dechirp job verify job
