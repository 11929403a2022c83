mkdir -p path/to
ln -s "$DECHIRP_DATA/radarsat1/scene5-english-bay-ships" path/to/scene
ln -s "$DECHIRP_DATA/gotcha" path/to/gotcha
ln -s "$DECHIRP_DATA/cphd/five-points-fx-cf8.cphd" file.cphd
ln -s "$DECHIRP_DATA/mountain-top/t38pre01v1_cpi_6.mat" t38pre01v1_cpi_6.mat
# #region recorded
npm run -s dechirp -- focus path/to/scene --out image          # a RADARSAT-1 CD scene, by the range-Doppler algorithm
npm run -s dechirp -- backproject file.cphd --out image --format sicd,cog  # a CPHD file into a SICD file and a GeoTIFF
npm run -s dechirp -- backproject path/to/gotcha --out image   # AFRL's Gotcha phase histories, by backprojection
npm run -s dechirp -- stap t38pre01v1_cpi_6.mat --out stap     # Mountain Top: a moving target in ground clutter
npm run -s dechirp -- job plan file.cphd --out job              # an image that many processes make; then: job run job
npm run -s dechirp -- schedule analyse tasks.json              # response times of tasks that share a device
# #endregion recorded
