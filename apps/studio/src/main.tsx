/** Starts the studio in the page. */
import "@picocss/pico/css/pico.min.css";
import "./studio.css";
import { render } from "preact";
import { keepForLater } from "./host/isolation.ts";
import { App } from "./shell/app.tsx";
import { applyTheme } from "./shell/theme.ts";

applyTheme();
render(<App />, document.getElementById("studio")!);
keepForLater();
