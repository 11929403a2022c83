mkdir -p incoming
dechirp simulate --preset spotlight --out recording
mv recording/spotlight.cphd incoming/pass.cphd
dechirp watch incoming --once --ending .cphd --then "job plan {path} --out jobs/{name}"
