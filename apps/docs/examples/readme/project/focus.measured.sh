mkdir -p path/to
ln -s "$DECHIRP_DATA/radarsat1/scene5-english-bay-ships" path/to/scene
ln -s "$DECHIRP_DATA/gotcha" path/to/gotcha
ln -s "$DECHIRP_DATA/mountain-top/t38pre01v1_cpi_6.mat" t38pre01v1_cpi_6.mat
# #region focus
npm run -s dechirp -- focus path/to/scene --out image
# #endregion focus
# #region backproject
npm run -s dechirp -- backproject path/to/gotcha --out image
# #endregion backproject
# #region stap
npm run -s dechirp -- stap t38pre01v1_cpi_6.mat --out stap
# #endregion stap
