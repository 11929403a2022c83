dechirp demo --out image >focused.txt
# #region quality
npx dechirp quality image
# #endregion quality
