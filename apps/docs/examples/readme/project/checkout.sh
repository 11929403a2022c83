npm start     # simulates a scene, focuses it, measures it: out/quicklook.png, out/image.npy, out/report.json
npm test      # every test
