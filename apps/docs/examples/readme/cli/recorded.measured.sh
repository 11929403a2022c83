ln -s "$DECHIRP_DATA/radarsat1/scene5-english-bay-ships" scene5
ln -s "$DECHIRP_DATA/gotcha" gotcha
ln -s "$DECHIRP_DATA/mountain-top/t38pre01v1_cpi_6.mat" t38pre01v1_cpi_6.mat
# #region recorded
npx dechirp focus scene5 --out image --doppler-centroid -6900  # a RADARSAT-1 CD scene
npx dechirp backproject gotcha --out image                     # phase histories into an image
npx dechirp stap t38pre01v1_cpi_6.mat --out stap               # array data into detections
# #endregion recorded
