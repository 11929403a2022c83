# The commands of the tutorial. Lines around the output of each let the page show one output at a time.

echo '# region simulate'
# region simulate
npx dechirp simulate --preset default --out scene
# endregion simulate
echo '# endregion simulate'

echo '# region focus'
# region focus
npx dechirp focus scene --out image
# endregion focus
echo '# endregion focus'

echo '# region quality'
# region quality
npx dechirp quality image
# endregion quality
echo '# endregion quality'

echo '# region windows'
# region windows
npx dechirp focus scene --out measured --doppler-centroid auto --window taylor:4,-30
# endregion windows
echo '# endregion windows'
