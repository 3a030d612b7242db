import { appendFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type RunOptions, type Tool, tool } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { caps, createFileTools, notes, recovery } from "fullstop/demo";
import { z } from "zod";
import { prompt } from "./model/script.ts";

/** What `run` needs besides the journal, the answers of people and the signal. */
export type Agent = Pick<RunOptions, "adapter" | "system" | "prompt" | "tools" | "recovery">;

/** Settings of the task, the same in each worker. */
export interface TaskSettings {
  /** A folder that all workers share: drafts, and what was published. */
  readonly site: string;
  /** The address of Anthropic's API, or of a model that plays it. */
  readonly modelUrl: string;
  /** How long `publish` takes to upload the page. */
  readonly uploadSeconds: number;
  /** How long `publish` takes then to announce it. */
  readonly announceSeconds: number;
}

/**
 * The agent of a run. It must be the same in each worker and after each restart, so it depends on
 * the id of the run alone. If your runs have inputs, store them by this id before the run starts.
 */
export function createAgent(runId: string, settings: TaskSettings): Agent {
  const draft = join(settings.site, "drafts", runId);
  prepareDraft(draft);
  return {
    adapter: anthropic("claude-sonnet-5-5", {
      baseURL: settings.modelUrl,
      apiKey: process.env["ANTHROPIC_API_KEY"] ?? "no-key-needed",
      maxTokens: caps,
    }),
    system: "You build small web pages.",
    prompt,
    recovery,
    tools: [...draftTools(draft), createPublishTool(draft, runId, settings)],
  };
}

/** The notes of the customer. */
function prepareDraft(draft: string): void {
  if (existsSync(join(draft, "notes.md"))) return;
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, "notes.md"), notes);
}

/** To edit a text twice fails or changes it twice. The other tools may run again. */
const draftTools = (draft: string): readonly Tool[] =>
  createFileTools(draft, () => {}).map((fileTool) => ({
    ...fileTool,
    idempotent: fileTool.name !== "edit",
  }));

/** Has effects outside, so a person decides, and a call in doubt does not run again by itself. */
function createPublishTool(
  draft: string,
  runId: string,
  { site, uploadSeconds, announceSeconds }: TaskSettings,
): Tool {
  return tool({
    name: "publish",
    description: "Puts the page online and announces it to the subscribers.",
    inputSchema: z.object({ announcement: z.string() }),
    needsApproval: true,
    async *execute({ announcement }, { signal, idempotencyKey }) {
      yield "uploading";
      await sleep(uploadSeconds * 1000, undefined, { signal });
      cpSync(draft, join(site, "public", runId), { recursive: true });
      const publication = { run: runId, announcement, key: idempotencyKey };
      appendFileSync(join(site, "publications.jsonl"), `${JSON.stringify(publication)}\n`);
      yield "uploaded";
      await sleep(announceSeconds * 1000, undefined, { signal });
      return `The page is online at /public/${runId}.`;
    },
  });
}
