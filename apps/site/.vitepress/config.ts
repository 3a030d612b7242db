import { readFileSync } from "node:fs";
import { slug } from "github-slugger";
import { type DefaultTheme, defineConfig } from "vitepress";
import { movableBase } from "../src/base.ts";

/** Whatever a document contains, a page loads nothing from another origin. */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** What `collect` wrote. */
const sidebar = JSON.parse(
  readFileSync(new URL("../dist/pages/sidebar.json", import.meta.url), "utf8"),
) as DefaultTheme.SidebarMulti;

const search: DefaultTheme.LocalSearchOptions = {
  _render: (text, env, renderer) => {
    // The colours of code are not searched, and would take a third of the build.
    renderer.options.highlight = null;
    // Of each system only its name and versions: all of them have the same words.
    const isSystem = env.relativePath.startsWith("docs/field/");
    return renderer.render(isSystem ? (text.split("\n## ")[0] ?? "") : text, env);
  },
};

export default defineConfig({
  title: "Fullstop",
  description: "A tool call runs only when the model finished its reply.",
  lang: "en",
  base: process.env["NODE_ENV"] === "production" ? movableBase : "/",
  srcDir: "dist/pages",
  srcExclude: ["public/**"],
  outDir: "dist/site",
  cacheDir: "dist/cache",
  // The pictures follow the system, and so does the site.
  appearance: "force-auto",
  head: [
    ["meta", { "http-equiv": "Content-Security-Policy", content: policy }],
    ["meta", { name: "referrer", content: "no-referrer" }],
    ["link", { rel: "icon", href: "data:," }],
  ],
  transformHead: ({ pageData: { relativePath } }) => [
    ["link", { rel: "alternate", type: "text/markdown", href: relativePath.replace(/.*\//, "") }],
  ],
  // Links within the documents use the anchors of GitHub.
  markdown: {
    anchor: { slugify: slug },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  themeConfig: {
    nav: [
      { text: "Start", link: "/start.html" },
      { text: "API", link: "/packages/core/API.html", activeMatch: "/API" },
      { text: "Field report", link: "/docs/field-report.html", activeMatch: "/field" },
      { text: "Playground", link: "/playground/", target: "_self" },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: "local", options: search },
  },
  vite: { esbuild: { jsx: "automatic", jsxImportSource: "vue" } },
});
