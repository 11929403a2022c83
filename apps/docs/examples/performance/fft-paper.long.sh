npx dechirp bench fft-paper --out bench --submit-file my-gpu.json
