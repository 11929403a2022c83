// The loss of the optimum filter for a known covariance, the slowest detectable target, and the rank of the clutter.
import {
  brennanRank,
  choleskyFactor,
  clutterCovariance,
  clutterSlope,
  hermitianEigenvalues,
  interferenceCovariance,
  kronecker,
  minimumDetectableVelocity,
  numericalRank,
  optimumSinrLossDb,
  uniformSteering,
  usableDopplerFraction,
  wardExample,
} from "@dechirp/stap";

const scenario = { ...wardExample, channels: 10, pulses: 12 };
const factor = choleskyFactor(interferenceCovariance(scenario), 120);
const { prfHz, carrierHz } = scenario;
const frequenciesHz = Array.from({ length: 121 }, (_, i) => -prfHz / 2 + (i * prfHz) / 120);
const lossDb = frequenciesHz.map((hz) => optimumSinrLossDb(factor, kronecker(uniformSteering(10, 0), uniformSteering(12, hz / prfHz))));

for (const hz of [0, 10, 50, 150]) console.log(`SINR loss of the optimum at ${hz} Hz: ${lossDb[60 + hz / 2.5].toFixed(1)} dB`);
console.log(`usable Doppler at −5 dB: ${(100 * usableDopplerFraction(frequenciesHz, lossDb, -5)).toFixed(0)} %`);
console.log(
  `minimum detectable velocity at −5 dB: ${minimumDetectableVelocity(frequenciesHz, lossDb, -5, 299_792_458 / carrierHz).toFixed(1)} m/s`,
);

const rank = brennanRank(10, 12, clutterSlope(scenario));
const eigenvalues = hermitianEigenvalues(clutterCovariance(scenario), 120);
console.log(`rank of clutter: ${rank} by Brennan's rule, ${numericalRank(eigenvalues, -100)} eigenvalues within 100 dB`);
