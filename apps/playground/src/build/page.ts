import { fileURLToPath } from "node:url";
import { bundlePage, sharedStyles } from "@fullstop/inspect/page-bundle";
import { pageContent } from "./content.ts";

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const styles = ["1-frame", "2-tape", "3-parts", "4-narrow"];

/**
 * The page as one HTML file. It needs no server and loads nothing: its Content-Security-Policy
 * permits its own script and style only.
 */
export async function buildPage(): Promise<string> {
  const { script, style, scriptHash, styleHash } = await bundlePage({
    script: fileOf("../page/main.tsx"),
    styles: [...sharedStyles, ...styles.map((name) => fileOf(`../../styles/${name}.css`))],
  });
  const policy = [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    `style-src '${styleHash}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Cut a model's reply at any byte, and see which tool calls would run.">
<title>Playground · Fullstop</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="page"><noscript>The gate runs in a script of this page. Allow scripts to use it.</noscript></div>
<script type="application/json" id="content">${JSON.stringify(pageContent()).replaceAll("<", "\\u003c")}</script>
<script>${script}</script>
</body>
</html>
`;
}
