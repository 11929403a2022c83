npm run -s dechirp -- simulate --list
