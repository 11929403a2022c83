/** VitePress' own theme, with what result tables need. */
import DefaultTheme from "vitepress/theme";
import "./results.css";

export default DefaultTheme;
