# From a CPHD file to SICD and to maps. Lines around the output of each command let the page show one output at a time.

echo '# region simulate'
# region simulate
npx dechirp simulate --preset spotlight --out collection
# endregion simulate
echo '# endregion simulate'

echo '# region info'
# region info
npx dechirp info collection/spotlight.cphd
# endregion info
echo '# endregion info'

echo '# region image'
# region image
npx dechirp backproject collection/spotlight.cphd --out image --format npy,sicd,cog
# endregion image
echo '# endregion image'

echo '# region convert'
# region convert
npx dechirp convert image/image.nitf map.tif --epsg 32719 --pixels decibel
# endregion convert
echo '# endregion convert'

echo '# region part'
# region part
npx dechirp backproject collection/spotlight.cphd --out part --format cog \
  --epsg 32719 --map 657900,7773000,657960,7773050,0.25
# endregion part
echo '# endregion part'

# region geojson
npx dechirp info image/image.nitf --geojson > footprint.geojson
# endregion geojson
