npx dechirp devices
npx dechirp demo --out out --device auto
