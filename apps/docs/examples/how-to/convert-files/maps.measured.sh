dechirp convert "$DECHIRP_DATA/sicd/sicd_50x50.nitf" map.tif --pixels decibel --height 30

# Or its pixels stay, and the file states places of some of them
dechirp convert "$DECHIRP_DATA/sicd/sicd_50x50.nitf" points.tif --control-points
