dechirp simulate --preset spotlight --out collection --json > simulated.json
dechirp backproject collection/spotlight.cphd --out image --json > made.json

# #region convert
dechirp convert collection/spotlight.cphd older.cphd --format-version 1.0.1
dechirp convert image image.zarr
dechirp convert image.zarr copy.npy
dechirp convert image picture.png --dynamic-range 50
# #endregion convert
