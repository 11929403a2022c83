/** The default theme of VitePress, with a footer, components that pages use, and styles for colours, code, result tables, the front page and the pages of the API. */
import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme";
import StudioFrame from "../components/StudioFrame.vue";
import StudioLink from "../components/StudioLink.vue";
import Layout from "./Layout.vue";
import "./accessible.css";
import "./api.css";
import "./home.css";
import "./results.css";
import "./wide.css";

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component("StudioFrame", StudioFrame).component("StudioLink", StudioLink);
  },
} satisfies Theme;
