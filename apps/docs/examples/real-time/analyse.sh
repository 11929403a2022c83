dechirp schedule analyse tasks.json
