npm run pnpm -- --filter @dechirp/bench bundle ../../out/bundle
rsync -a out/bundle/ other-machine:bundle/
