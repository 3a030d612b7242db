import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./blocks.ts";
import type { Generated } from "./generated-file.ts";

const libraries = ["ai-sdk", "langchain", "openai-agents"];

/** What the skill needs of a page about another library. It is copied alone, so its links lead nowhere. */
const chosen: ReadonlySet<string> = new Set(["Names", "What behaves differently on purpose"]);

function skillPage(library: string): Generated {
  const page = readFileSync(join(root, `docs/from-${library}.md`), "utf8");
  const [title = "", ...sections] = page.split(/^(?=## )/m);
  const [heading = ""] = title.split("\n");
  const kept = sections.filter((section) => chosen.has(/^## (.+)$/m.exec(section)?.[1] ?? ""));
  const text = [`${heading}\n\n`, ...kept].join("").replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1");
  return { file: `skills/fullstop/from-${library}.md`, text: `${text.trimEnd()}\n` };
}

/** The tables of names of `skills/fullstop`. */
export const skillPages: readonly Generated[] = libraries.map(skillPage);
