dechirp simulate --preset default --out scene >simulated.txt
# #region centroid
npx dechirp focus scene --out measured --doppler-centroid auto --window taylor:4,-30
# #endregion centroid
