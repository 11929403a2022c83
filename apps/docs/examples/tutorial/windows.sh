dechirp simulate --preset default --out scene >simulated.txt
# #region windows
npx dechirp focus scene --out measured --doppler-centroid auto --window taylor:4,-30
# #endregion windows
