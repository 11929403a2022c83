npx dechirp demo --out out # simulate a scene, focus it, measure it
