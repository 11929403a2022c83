/** The automatic ends of an image's colour scale, which follow the image while it arrives. */
import { useEffect, useState } from "preact/hooks";
import type { DbRange } from "./facts.ts";
import type { StoredImage } from "./stored-image.ts";

/** Smaller changes, in dB, are not worth drawing everything anew. */
const leastChange = 0.2;

export function useAutomaticRange(image: StoredImage): DbRange {
  const [range, setRange] = useState<DbRange>({ lowDb: -40, highDb: 0 });
  useEffect(() => {
    let [isOpen, isBusy, isDue] = [true, false, true];
    async function update(): Promise<void> {
      if (isBusy) return;
      isBusy = true;
      while (isDue && isOpen) {
        isDue = false;
        const next = await image.range().catch(() => undefined);
        const differs = (old: DbRange): boolean => next !== undefined && Math.abs(next.highDb - old.highDb) > leastChange;
        if (isOpen && next) setRange((old) => (differs(old) ? next : old));
      }
      isBusy = false;
    }
    const end = image.onArrival(() => {
      isDue = true;
      void update();
    });
    void update();
    return () => {
      isOpen = false;
      end();
    };
  }, [image]);
  return range;
}
