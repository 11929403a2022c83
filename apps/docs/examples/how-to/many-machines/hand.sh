dechirp simulate --preset spotlight --out recording
dechirp job plan recording/spotlight.cphd --out job --tile 256
for k in $(dechirp job missing job); do dechirp job task job --index "$k"; done
dechirp job assemble job
