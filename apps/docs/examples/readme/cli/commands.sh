npx dechirp simulate --preset quality --out scene           # raw echoes of point targets
npx dechirp focus scene --out image                         # …into an image
npx dechirp quality image                                   # …and how good it is
npx dechirp schedule analyse tasks.json                     # bounds on response times
npx dechirp schedule simulate tasks.json --out trace        # …and what a simulation makes of them
npx dechirp schedule run transforms.json --out run          # …and what is observed of such tasks here
