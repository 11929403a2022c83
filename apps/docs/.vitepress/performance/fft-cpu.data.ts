/** Transforms on the processor beside fft.js, pffft and FFTW, for the page about them. */
import { type ComparisonData, comparisonData } from "./page.ts";

export declare const data: ComparisonData;

export default { load: () => comparisonData("epyc-2-cores-node-20.json", { "Lines × points": /./ }) };
