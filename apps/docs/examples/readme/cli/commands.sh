npx dechirp simulate --preset quality --out scene           # raw echoes of point targets
npx dechirp focus scene --out image                         # …focused into an image
npx dechirp quality image                                   # …and measured
npx dechirp schedule analyse tasks.json                     # bounds on response times
npx dechirp schedule simulate tasks.json --out trace        # …compared with a simulation
npx dechirp schedule run transforms.json --out run          # …and tasks measured on this machine
