dechirp watch incoming --ending .cphd --then "backproject {path} --out images/{name}"
