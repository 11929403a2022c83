for seed in 1 2; do
  dechirp simulate --preset spotlight --seed "$seed" --out "recording-$seed"
  mkdir -p incoming
  mv "recording-$seed/spotlight.cphd" "incoming/pass-$seed.cphd"
done
dechirp job plan incoming/*.cphd --each --out all
dechirp job run all --workers 2
