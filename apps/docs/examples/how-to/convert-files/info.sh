# A collection to try: 1.7 MB, from an aircraft over a salt flat
dechirp simulate --preset spotlight --out collection > simulated.txt

# What is it, where is it, and what can be done with it?
dechirp info collection/spotlight.cphd

# Its footprint, for a map
dechirp info collection/spotlight.cphd --geojson > footprint.geojson
