# #region devices
npx dechirp devices
npx dechirp demo --out out --device auto
# #endregion devices
