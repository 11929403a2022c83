npm install --save-dev tsx
npx tsx spectra.mts
