import { render } from "preact";
import type { PageContent } from "../corpus.ts";
import { App } from "./app.tsx";
import { fromHash } from "./link.ts";
import { defaultHash } from "./presets.ts";

async function start(root: HTMLElement): Promise<void> {
  const content = JSON.parse(document.getElementById("content")?.textContent ?? "") as PageContent;
  const first = location.hash.length > 1 ? location.hash : defaultHash(content);
  const state = await fromHash(first, content.replies[0]?.id ?? "");
  root.replaceChildren();
  render(<App content={content} first={state} />, root);
  performance.mark("fullstop-shown");
}

const root = document.getElementById("page");
if (root !== null) void start(root);
