import { encodeCphd, openCphd } from "@dechirp/io/cphd";
import { openFile, writeFolderAtomically } from "@dechirp/io/node";

// A file to inspect: three pulses of ones.
const [pulses, count] = [3, 4];
await writeFolderAtomically("out", {
  "ones.cphd": encodeCphd(
    {
      name: "ones",
      shape: [pulses, count],
      positions: Float64Array.of(7000, 0, 7000, 7000, 5, 7000, 7000, 10, 7000),
      referenceRangeMeters: Float64Array.of(9899, 9899, 9899),
      frequency: { firstHz: 9.5e9, stepHz: 1e6, count },
      pulses: (_, some) => new Float32Array(2 * some * count).fill(1),
    },
    { origin: { latitudeDegrees: 0, longitudeDegrees: 0 }, prfHz: 100, startUtc: "2026-01-01T00:00:00Z" },
  ),
});

// #region inspect
const file = await openFile("out/ones.cphd");
const { header, metadata, vectors, stored } = await openCphd(file, { file: "out/ones.cphd" });
console.log(header.version, metadata.coreName, metadata.domain, metadata.sgn, metadata.sampleFormat);
for (const { identifier, vectors: n, samples, srpFixed } of metadata.channels)
  console.log(
    `channel ${identifier}: ${n} × ${samples} samples, ${srpFixed ? "one reference point" : "a reference point for each vector"}`,
  );
const { TxTime, FX1 } = await vectors("1");
console.log([...TxTime], FX1[0]);
console.log([...(await stored("1", 2, 1))]);
await file.close();
// #endregion inspect
