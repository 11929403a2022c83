/** Starts the studio in the page. */
import "@picocss/pico/css/pico.min.css";
import "./studio.css";
import { render } from "preact";
import { keepForLater } from "./host/isolation.ts";
import { App } from "./shell/app.tsx";
import { applyTheme } from "./shell/theme.ts";

applyTheme();
// A file that is dropped beside the place for it must not replace the page.
for (const kind of ["dragover", "drop"] as const) addEventListener(kind, (event) => event.preventDefault());
render(<App />, document.getElementById("studio")!);
keepForLater();
