/** The default theme of VitePress, with a footer, components that pages use, and styles for code, result tables and the pages of the API. */
import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme";
import StudioFrame from "../components/StudioFrame.vue";
import StudioLink from "../components/StudioLink.vue";
import Layout from "./Layout.vue";
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
