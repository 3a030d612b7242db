import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type OutputChunk, rolldown } from "rolldown";
import type { PageBundle } from "../../src/page/page-bundle.ts";

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Bundles the page from its sources. */
export async function bundlePage(): Promise<PageBundle> {
  const script = await bundleScript();
  const style = joinStyles();
  return { script, style, scriptHash: hashOf(script), styleHash: hashOf(style) };
}

async function bundleScript(): Promise<string> {
  const bundle = await rolldown({
    input: fileOf("../client/main.tsx"),
    platform: "browser",
    resolve: { conditionNames: ["@fullstop/source", "browser", "import"] },
    transform: { jsx: { runtime: "automatic", importSource: "preact" } },
    tsconfig: false,
  });
  try {
    const { output } = await bundle.generate({ format: "iife", minify: true });
    const chunks = output.filter((one): one is OutputChunk => one.type === "chunk");
    if (chunks.length !== 1) throw new Error("The page must have one script.");
    return assertInline(chunks[0]?.code ?? "");
  } finally {
    await bundle.close();
  }
}

/** In the order of their names: the number at the beginning gives the cascade. */
function joinStyles(): string {
  const folder = fileOf("../styles/");
  const files = readdirSync(folder).filter((name) => name.endsWith(".css"));
  return assertInline(
    files
      .toSorted()
      .map((name) => readFileSync(`${folder}${name}`, "utf8"))
      .join(""),
  );
}

/** An HTML parser would end the element here, or read it in another way. */
function assertInline(text: string): string {
  const found = /<\/(?:script|style)|<!--/i.exec(text);
  if (found === null) return text;
  throw new Error(`The page cannot contain ${JSON.stringify(found[0])} in its script or style.`);
}

const hashOf = (text: string): string =>
  `sha256-${createHash("sha256").update(text).digest("base64")}`;
