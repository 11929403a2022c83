/**
 * The samples of flights, block by block: simulated when they are first needed, or read from a recording. Blocks stay in memory up to a limit, so
 * that an aperture that is dragged needs only what it did not have.
 */
import { createPause, RadarError } from "@dechirp/core";
import type { PhaseHistoryRecording } from "@dechirp/processor";
import type { HistoryGeometry, PhaseHistory } from "@dechirp/radar";
import { applyAutofocus, sceneGrid, simulatePhaseHistory } from "@dechirp/sar";
import { type FlightFacts, factsOfGeometry, mostSamples, pulsesOf, simulatedGeometry } from "./flight.ts";
import type { FlightChoices } from "./settings.ts";

/** Pulses of a block. */
export const blockPulses = 64;

/** Consecutive pulses of an aperture. */
export interface Portion extends PhaseHistory {
  /** Place of the first of them in the aperture. */
  readonly at: number;
}

/** A flight with its samples. */
export interface Flight {
  readonly facts: FlightFacts;
  readonly geometry: HistoryGeometry;
  /**
   * The samples of a run of pulses, in order. `onShare` is called with the share that is there. Rejects with `limit` if they need more memory than
   * flights may have, and with `aborted`.
   */
  portions(
    pulses: readonly [first: number, count: number],
    onShare: (share: number) => void,
    signal: AbortSignal | undefined,
  ): Promise<readonly Portion[]>;
}

/** A flight whose blocks `make` makes: a block is a phase history of its pulses only. */
function inBlocks(
  facts: FlightFacts,
  geometry: HistoryGeometry,
  make: (pulses: readonly [number, number], block: number, signal?: AbortSignal) => PhaseHistory | Promise<PhaseHistory>,
): Flight {
  const made = new Map<number, PhaseHistory>();
  const pulses = geometry.referenceRangeMeters.length;
  const { count: frequencies } = geometry.frequency;
  /** Drops the blocks that were needed longest ago and are not among `needed`, so that there is room for one more. */
  const makeRoom = (needed: (block: number) => boolean): void => {
    const most = Math.floor(mostSamples / frequencies / blockPulses);
    for (const block of made.keys()) {
      if (made.size < most) break;
      if (!needed(block)) made.delete(block);
    }
  };
  return {
    facts,
    geometry,
    async portions([first, count], onShare, signal) {
      checkSize(count, pulses, frequencies);
      const pause = createPause("reading pulses", signal);
      const [firstBlock, lastBlock] = [first, first + count - 1].map((p) => Math.floor(p / blockPulses)) as [number, number];
      const portions: Portion[] = [];
      for (let p = first; p < first + count; ) {
        const block = Math.floor(p / blockPulses);
        const start = block * blockPulses;
        let history = made.get(block);
        if (!history) {
          await pause();
          makeRoom((one) => one >= firstBlock && one <= lastBlock);
          history = await make([start, Math.min(blockPulses, pulses - start)], block, signal);
          onShare((p - first) / count);
        }
        // At the end of the map, as it was needed last.
        made.delete(block);
        made.set(block, history);
        const some = Math.min(start + blockPulses, first + count) - p;
        const each = 2 * geometry.frequency.count;
        portions.push({
          ...pulsesOf(history, [p - start, some]),
          samples: history.samples.subarray((p - start) * each, (p - start + some) * each),
          at: p - first,
        });
        p += some;
      }
      return portions;
    },
  };
}

/** Throws `limit` if an aperture needs more memory than flights may have. */
function checkSize(count: number, pulses: number, frequencies: number): void {
  if (count * frequencies <= mostSamples) return;
  const megabytes = (samples: number): number => Math.ceil((8 * samples) / 2 ** 20);
  const most = Math.floor(mostSamples / frequencies);
  const percent = Math.floor((1000 * most) / pulses) / 10;
  throw new RadarError(
    "limit",
    `the aperture has ${count} pulses of ${frequencies} frequencies, which take ${megabytes(count * frequencies)} MiB of memory; this page holds at most ${megabytes(mostSamples)} MiB. Choose a shorter aperture, of at most ${most} pulses (${percent} % of the flight), or open a recording of fewer pulses or frequencies. The task Focus and the command dechirp backproject read recordings of any size`,
    { field: "to", needed: 8 * count * frequencies, limit: 8 * mostSamples },
  );
}

/** A simulated flight. Throws `input` that names the setting. */
export function simulatedFlight(choices: FlightChoices): Flight {
  const geometry = simulatedGeometry(choices);
  const { track, scene, noise, seed } = choices;
  const facts = factsOfGeometry(geometry, {
    key: JSON.stringify(choices),
    name: track === "circular" ? "simulated flight on a circle" : "simulated flight on a straight line",
    scene: { x: 0, y: 0, half: scene / 2 },
    notes: [],
  });
  return inBlocks(facts, geometry, ([first, count], block) =>
    simulatePhaseHistory({
      positions: geometry.positions.slice(3 * first, 3 * (first + count)),
      frequency: geometry.frequency,
      targets: geometry.targets,
      // Every block draws its noise from a seed of its own.
      ...(noise > 0 && { noise: { sigma: noise }, seed: (seed + 0x9e3779b9 * (block + 1)) >>> 0 }),
    }),
  );
}

/** The flight of a recording. Its corrections are applied. */
export function recordedFlight(recording: PhaseHistoryRecording, key: string): Flight {
  const { autofocus, area, notes = [], name } = recording;
  const pulses = recording.shape[0];
  const whole = pulsesOf(recording, [0, pulses]);
  const geometry: HistoryGeometry = autofocus
    ? { ...whole, referenceRangeMeters: whole.referenceRangeMeters.map((range, p) => range + autofocus.rangeMeters[p]!) }
    : whole;
  const facts = factsOfGeometry(
    { ...geometry, targets: [] },
    {
      key,
      name,
      scene: area
        ? {
            x: (area.xMeters[0] + area.xMeters[1]) / 2,
            y: (area.yMeters[0] + area.yMeters[1]) / 2,
            half: Math.max(area.xMeters[1] - area.xMeters[0], area.yMeters[1] - area.yMeters[0]) / 2,
          }
        : sceneOf(geometry),
      notes: [...notes, ...(autofocus ? ["The corrections that the recording has are applied."] : [])],
    },
  );
  return inBlocks(facts, geometry, async ([first, count], _, signal) => {
    const samples = await recording.pulses(first, count, signal ? { signal } : {});
    const history: PhaseHistory = { ...pulsesOf(whole, [first, count]), samples };
    if (!autofocus) return history;
    const corrections = {
      rangeMeters: autofocus.rangeMeters.slice(first, first + count),
      phaseRadians: autofocus.phaseRadians.slice(first, first + count),
    };
    return applyAutofocus({ ...history, autofocus: corrections }, signal ? { signal } : {});
  });
}

/** The square that the pulses can image without ambiguity. */
function sceneOf(geometry: HistoryGeometry): FlightFacts["scene"] {
  const { grid } = sceneGrid(geometry);
  const half = (grid.nx * grid.xStepMeters[0]) / 2;
  return { x: grid.originMeters[0] + half, y: grid.originMeters[1] + half, half };
}
