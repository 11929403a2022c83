# #region folder
dechirp simulate --preset quality --out scene > summary.txt
ls scene
# #endregion folder
cd scene
cp ../scene.json .
dechirp focus . --out ../image > ../summary.txt
