import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "@fullstop/conformance/server";
import { afterAll } from "vitest";

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const folder = fileOf("../dist/site");

/** Builds the site as a user does. */
export function buildSite(): void {
  const main = ["--conditions=@fullstop/source", fileOf("../src/main.ts")];
  execFileSync(process.execPath, [...main, "build", "--repository", "example/fullstop"], {
    stdio: "pipe",
  });
}

/** The files of the site. */
export const siteFiles = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: folder }).toSorted();
export const hasFile = (file: string): boolean => existsSync(join(folder, file));
export const readSite = (file: string): string => readFileSync(join(folder, file), "utf8");

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".json": "application/json",
};

/** Serves the site as a page host does, below a path. Returns its address, with a slash. */
export async function serveSite(path: string): Promise<string> {
  const { url, close } = await serve((request) => {
    const asked = request.path.startsWith(path) ? request.path.slice(path.length) : "missing";
    const file = asked === "" || asked.endsWith("/") ? `${asked}index.html` : asked;
    if (!hasFile(file)) return { status: 404, chunks: [new TextEncoder().encode("Not found.")] };
    const headers = { "content-type": types[extname(file)] ?? "application/octet-stream" };
    return { headers, chunks: [new Uint8Array(readFileSync(join(folder, file)))] };
  });
  afterAll(close);
  return `${url}${path}`;
}
