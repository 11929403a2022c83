npx dechirp info collection.cphd                     # what it is, where on earth, and what can be done with it
npx dechirp info image.nitf --geojson                # its footprint
npx dechirp convert image.nitf map.tif               # a SICD image as an image on a map
