/** The picture of a complex image that comes in parts, so that the image need never be in memory. */
import { runToEnd } from "@dechirp/core/internal";
import type { ComplexSamples, ImageWindow } from "@dechirp/radar";
import { createPartCheck, type PartTaker, type SumsTaker } from "./focus-measures.ts";
import { createCells, type Looks } from "./multilook-cells.ts";
import { chooseLooks, type GrayPicture, graySteps, type QuicklookOptions } from "./quicklook.ts";

/** Makes the picture of an image whose parts pass by. */
export interface QuicklookAccumulator extends PartTaker, SumsTaker {
  /** Pixels of the image that a pixel of the picture averages. */
  readonly looks: Looks;
  /** The picture. Throws `input`, which names the first missing part, if not all of the image has been added. */
  finish(): GrayPicture & Looks;
  /** `finish` in steps of milliseconds, for `runInPieces` of core. */
  finishSteps(): Generator<void, GrayPicture & Looks>;
}

/**
 * Makes an accumulator of the picture that `quicklook` makes of an image of `rows` × `columns` pixels. The cells of a picture may lie across
 * parts. The picture has the bits of that of `quicklook`, whatever the parts and their order: the sums of its cells are exact if powers within
 * a cell differ by at most 120 dB, and a cell is at most 4096 whole pixels. Else (also with `square`) their error is about 2^-100, and a level
 * can differ only where a mean lies that close to the border of two float32 numbers. Memory is that of the picture, four bytes a pixel, and
 * of the rows
 * of cells that are not complete. Throws `input`.
 */
export function createQuicklookAccumulator(rows: number, columns: number, options: QuicklookOptions = {}): QuicklookAccumulator {
  const check = createPartCheck(rows, columns);
  const looks = chooseLooks(rows, columns, options);
  const cells = createCells(rows, columns, looks);
  function* addSteps(window: ImageWindow, data: ComplexSamples): Generator<void, void> {
    check(window, data);
    yield* cells.addSteps(window, data);
  }
  function* finishSteps(): Generator<void, GrayPicture & Looks> {
    check.complete({ row: 0, column: 0, rows, columns });
    return { ...(yield* graySteps(cells.finish(), options)), ...looks };
  }
  return {
    looks,
    addSteps,
    addSums({ window, cells: sums }) {
      check.take(window);
      cells.addSums(window, sums);
    },
    add: (window, data) => runToEnd(addSteps(window, data)),
    finishSteps,
    finish: () => runToEnd(finishSteps()),
  };
}
