npm run bench
