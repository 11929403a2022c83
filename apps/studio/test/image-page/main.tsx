/** A page with nothing but a viewer, for its tests: an image that a worker makes, of a size that the address says. */
import "@picocss/pico/css/pico.min.css";
import "../../src/studio.css";
import { transfer } from "comlink";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ImageFacts } from "../../src/image/facts.ts";
import { PointCuts } from "../../src/image/point-cuts.tsx";
import { imageSettings } from "../../src/image/settings.ts";
import { openImage, type StoredImage } from "../../src/image/stored-image.ts";
import { ImageViewer } from "../../src/image/viewer.tsx";
import { choice, decimal, flag, integer, readSettings, type SettingValues, writeSettings } from "../../src/settings.ts";
import { place, replaceQuery } from "../../src/shell/location.ts";
import { applyTheme } from "../../src/shell/theme.ts";
import { ErrorNote } from "../../src/ui/error-note.tsx";
import { openSession } from "../../src/work/worker-session.ts";
import type { SceneApi } from "./worker.ts";

const settings = {
  ...imageSettings,
  rows: integer(1, 1e6, 1000),
  columns: integer(1, 1e6, 1500),
  /** Metres between rows and between columns. */
  down: decimal(1e-3, 1e3, 2),
  across: decimal(1e-3, 1e3, 1),
  upwards: flag(false),
  keep: choice(["auto", "memory", "file"], "auto"),
  /** Milliseconds between parts. */
  pause: decimal(0, 1e4, 0),
  part: integer(1, 4096, 256),
  /** The row before which the worker waits for a message on the channel `go-on`. None if it is 0. */
  stop: integer(0, 1e6, 0),
};

const session = openSession<SceneApi>(new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }));

function Page() {
  const { values, problems } = readSettings(settings, place.value.query);
  const [image, setImage] = useState<StoredImage>();
  const [error, setError] = useState<unknown>();
  const { rows, columns, down, across, upwards, keep, pause, part, stop } = values;
  useEffect(() => {
    const facts: ImageFacts = {
      rows,
      columns,
      rowAxis: { label: upwards ? "y" : "azimuth", unit: "m", start: 0, step: down },
      columnAxis: { label: upwards ? "x" : "slant range", unit: "m", start: 845_000, step: across },
      upwards,
      northRadians: 0.3,
    };
    async function start(): Promise<void> {
      const opened = await openImage(facts, { keep });
      setImage(opened);
      const port = await opened.connect();
      await session.settled(session.api.make({ rows, columns, part, pause, stop }, transfer(port, [port])) as Promise<void>);
      document.body.dataset.done = "yes";
    }
    start().catch(setError);
  }, []);
  const change = (changed: Partial<SettingValues<typeof settings>>): void => {
    const now = readSettings(settings, place.value.query).values;
    replaceQuery(writeSettings(settings, { ...now, ...changed }));
  };
  return (
    <main class="studio">
      <h1>Image</h1>
      {problems.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {error !== undefined && <ErrorNote error={error} />}
      {image && <ImageViewer image={image} label="Test image" fileName={(part) => `${part}.png`} values={values} change={change} />}
      {image && values.point && <PointCuts image={image} point={values.point} />}
      {image && <p>{image.state.value.kept}</p>}
    </main>
  );
}

applyTheme();
render(<Page />, document.getElementById("studio")!);
