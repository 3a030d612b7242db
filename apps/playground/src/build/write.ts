import { mkdirSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { buildPage } from "./page.ts";

const folder = new URL("../../dist/", import.meta.url);
const page = await buildPage();
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("index.html", folder), page);
process.stdout.write(
  `dist/index.html: ${page.length} bytes, ${gzipSync(page).length} bytes gzipped\n`,
);
