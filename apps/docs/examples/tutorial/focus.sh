dechirp simulate --preset default --out scene >simulated.txt
# #region focus
npx dechirp focus scene --out image
# #endregion focus
