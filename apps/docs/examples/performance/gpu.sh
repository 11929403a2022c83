npm run pnpm -- --filter @dechirp/bench gpu
