npm run -s dechirp -- schedule analyse tasks.json
