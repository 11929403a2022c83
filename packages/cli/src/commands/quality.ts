/** `dechirp quality`: measures the point targets and the sharpness of an image that `focus` wrote, from its files. */
import { join } from "node:path";
import { oneLine } from "@dechirp/core/internal";
import type { ComplexSamples } from "@dechirp/radar";
import { argumentError, blame, CommandError } from "../errors.ts";
import { type Io, print } from "../io.ts";
import { decimals } from "../table.ts";

/** The options as commander passes them. */
export interface QualityArguments {
  readonly json?: boolean;
}

/** A report takes a few kilobytes, or a few hundred with thousands of targets. */
const maxReportBytes = 2 ** 26;

/** Runs `dechirp quality`. */
export async function qualityCommand(folder: string, options: QualityArguments, io: Io): Promise<void> {
  if (folder === "") throw argumentError("DIR", "the folder of an image", folder);
  const [{ readNpy }, { openFile, readBytes, readConsistently }, { measureImage, parseReport }, { targetsText }] = await Promise.all([
    import("@dechirp/io"),
    import("@dechirp/io/node"),
    import("@dechirp/processor"),
    import("../summary.ts"),
  ]);
  const { signal } = io;
  const reportFile = join(folder, "report.json");
  const imageFile = join(folder, "image.npy");
  const result = await blame("file", undefined, async () => {
    const read = async () => {
      const text = new TextDecoder().decode(await readBytes(reportFile, { signal, maxBytes: maxReportBytes }));
      const report = await parseReport(text, reportFile, signal);
      const access = await openFile(imageFile, { signal });
      const image = await readNpy(access, { file: imageFile, complexPairs: true, signal }).finally(() => access.close());
      return { report, image };
    };
    const { report, image: found } = await readConsistently(folder, "report.json", read, signal);
    const { layout, data } = found;
    const { axes, theory, image } = report;
    const shape = [axes.azimuthSeconds.count, axes.slantRangeMeters.count];
    const complex = layout.dtype === "c64" || layout.dtype === "c128";
    if (!complex || String(layout.shape) !== String(shape) || String(image.shape) !== String(shape)) {
      const actual = `${layout.dtype}[${layout.shape.join(", ")}]`;
      throw new CommandError(
        "file",
        `${imageFile}: must be complex64 or complex128 [${shape.join(", ")}], as ${reportFile} states, not ${actual}`,
        {
          file: imageFile,
          actual,
        },
      );
    }
    const measures = await blame("file", imageFile, () => measureImage(data as ComplexSamples, report, signal));
    return { folder, scene: report.scene, ...measures, theory };
  });
  print(io, options.json, result, () => {
    const { targets, entropy, contrast } = result;
    const points = targets.length > 0 ? targetsText(targets, true) : "  no point targets are known in this image";
    return [`${oneLine(result.scene)}: entropy ${decimals(entropy, 3)}, contrast ${decimals(contrast, 2)}`, points].join("\n");
  });
}
