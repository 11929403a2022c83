/** The default theme of VitePress, with styles for result tables and for the pages of the API. */
import DefaultTheme from "vitepress/theme";
import "./api.css";
import "./results.css";

export default DefaultTheme;
