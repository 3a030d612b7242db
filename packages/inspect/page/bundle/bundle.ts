import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type OutputChunk, rolldown } from "rolldown";
import type { PageBundle } from "../../src/page/page-bundle.ts";

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A page: its script, and its style sheets in the order of the cascade. */
export interface PageSources {
  readonly script: string;
  readonly styles: readonly string[];
}

const stylesFolder = fileOf("../styles/");
/** In the order of their names: the number at the beginning gives the cascade. */
const ownStyles: readonly string[] = readdirSync(stylesFolder)
  .filter((name) => name.endsWith(".css"))
  .toSorted()
  .map((name) => `${stylesFolder}${name}`);

/** The style sheets of the parts that other pages of this repository show too. */
export const sharedStyles: readonly string[] = ownStyles.filter((path) =>
  /\/(?:1-base|4-parts|5-gate)\.css$/.test(path),
);

const ownPage: PageSources = { script: fileOf("../client/main.tsx"), styles: ownStyles };

/** Bundles a page from its sources: by default the inspector. */
export async function bundlePage(sources: PageSources = ownPage): Promise<PageBundle> {
  const script = await bundleScript(sources.script);
  const style = assertInline(sources.styles.map((path) => readFileSync(path, "utf8")).join(""));
  return { script, style, scriptHash: hashOf(script), styleHash: hashOf(style) };
}

async function bundleScript(input: string): Promise<string> {
  const bundle = await rolldown({
    input,
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

/** An HTML parser would end the element here, or read it in another way. */
function assertInline(text: string): string {
  const found = /<\/(?:script|style)|<!--/i.exec(text);
  if (found === null) return text;
  throw new Error(`The page cannot contain ${JSON.stringify(found[0])} in its script or style.`);
}

const hashOf = (text: string): string =>
  `sha256-${createHash("sha256").update(text).digest("base64")}`;
