/** VitePress' own theme, with what result tables and the pages of the API need. */
import DefaultTheme from "vitepress/theme";
import "./api.css";
import "./results.css";

export default DefaultTheme;
