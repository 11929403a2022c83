/** Buttons that save an image as files. */
import { isRadarError } from "@dechirp/core";
import { transfer } from "comlink";
import { useRef, useState } from "preact/hooks";
import { ErrorNote } from "../ui/error-note.tsx";
import { fileNameOf } from "../ui/file-name.ts";
import { Progress } from "../ui/progress.tsx";
import { saveBlob } from "../ui/save.ts";
import type { WorkerSession } from "../work/worker-session.ts";
import type { FileFormat } from "./export.ts";
import type { ExportNeeds } from "./messages.ts";
import type { FocusApi } from "./worker.ts";

const formats: readonly { readonly format: FileFormat; readonly title: string; readonly ending: string }[] = [
  { format: "cog", title: "GeoTIFF", ending: "tif" },
  { format: "sicd", title: "SICD", ending: "nitf" },
  { format: "npy", title: ".npy", ending: "npy" },
];

interface SaveButtonsProps {
  readonly session: WorkerSession<FocusApi>;
  /** Name of the recording, for the files' names. */
  readonly name: string;
  /** What the image is called after it in the files' names. */
  readonly task: string;
  readonly needs: ExportNeeds;
}

export function SaveButtons({ session: { api, settled }, name, task, needs }: SaveButtonsProps) {
  const [saving, setSaving] = useState<{ readonly title: string; readonly share: number }>();
  const [error, setError] = useState<unknown>();
  const controller = useRef<AbortController>(undefined);
  async function save({ format, title, ending }: (typeof formats)[number]): Promise<void> {
    const file = fileNameOf(name, task, ending);
    const { port1, port2 } = new MessageChannel();
    const mine = new AbortController();
    controller.current = mine;
    setError(undefined);
    setSaving({ title, share: 0 });
    port1.onmessage = ({ data }: MessageEvent<number>) => setSaving({ title, share: data });
    try {
      saveBlob(file, await settled(api.save(format, file, transfer(port2, [port2]), mine.signal) as Promise<Blob>));
    } catch (problem) {
      if (!isRadarError(problem, "aborted")) setError(problem);
    }
    port1.close();
    setSaving(undefined);
  }
  const lacks = needs.collection;
  return (
    <div class="saving">
      <div class="buttons">
        {formats.map((one) => {
          const isLacking = one.format === "sicd" && lacks.length > 0;
          return (
            <button
              key={one.format}
              type="button"
              class="small"
              disabled={saving !== undefined || isLacking}
              {...(isLacking && { "aria-describedby": "sicd-needs" })}
              onClick={() => void save(one)}
            >
              Save {one.title}
            </button>
          );
        })}
      </div>
      {lacks.length > 0 && (
        <p id="sicd-needs" class="needs">
          <small>No SICD: the recording does not say {lacks.join(", nor ")}.</small>
        </p>
      )}
      {needs.placement.length > 0 && (
        <p class="needs">
          <small>The GeoTIFF has no place on earth: the recording does not say {needs.placement.join(", nor ")}.</small>
        </p>
      )}
      {saving && <Progress advance={{ what: `writing ${saving.title}`, share: saving.share }} cancel={() => controller.current?.abort()} />}
      {error !== undefined && <ErrorNote error={error} />}
    </div>
  );
}
