npx dechirp devices
