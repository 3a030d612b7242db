import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { FieldTable } from "./field-table.tsx";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component("FieldTable", FieldTable);
  },
} satisfies Theme;
