npm run -s dechirp -- --help
