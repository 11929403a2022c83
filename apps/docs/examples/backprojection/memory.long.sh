# region commands
dechirp backproject gotcha --grid -50,-50,0.0125,0.0125,8192,8192 --memory 1GiB --dry-run     # windows, memory and work; makes nothing
dechirp backproject gotcha --grid -50,-50,0.0125,0.0125,8192,8192 --memory 1GiB --out large
# endregion commands
