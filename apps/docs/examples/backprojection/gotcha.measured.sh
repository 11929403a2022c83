ln -s "$DECHIRP_DATA/gotcha" gotcha
# region commands
dechirp backproject gotcha --out image                                               # the scene that the data support
dechirp backproject gotcha --grid -50,-50,0.4,0.4,256,256 --out part                 # your own grid
dechirp backproject gotcha --grid -50,-50,0.4,0.4,256,256 --convention gorham-moore --out compared # as the MATLAB toolbox computes it
# endregion commands
