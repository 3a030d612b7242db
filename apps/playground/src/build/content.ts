import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { clauses } from "@fullstop/conformance";
import type { TurnRequest } from "@fullstop/core";
import type { CorpusReply, PageContent } from "../corpus.ts";
import { clauseIds } from "../reply/clauses.ts";
import type { ProtocolName } from "../reply/protocols.ts";
import { stories } from "./stories.ts";

interface IndexEntry extends Omit<CorpusReply, "text" | "protocol"> {
  readonly protocol: keyof typeof protocolOfFolder;
  readonly stream: { readonly file: string };
  readonly body?: { readonly file: string };
}

/** The folders of the corpus whose protocol the page reads. */
const protocolOfFolder = {
  anthropic: "anthropic-messages",
  gemini: "gemini-generate-content",
  "gemini-interactions": "gemini-interactions",
  "openai-chat": "openai-chat",
  "openai-responses": "openai-responses",
} as const satisfies Record<string, ProtocolName>;

const fixtures = fileURLToPath(
  new URL("../../../../packages/conformance/fixtures/", import.meta.url),
);
const read = (file: string): string => readFileSync(`${fixtures}${file}`, "utf8");

/** All that the page shows besides its own words. */
export function pageContent(): PageContent {
  const { replies } = JSON.parse(read("corpus.json")) as { readonly replies: IndexEntry[] };
  return {
    replies: [
      ...stories,
      ...replies
        .filter(({ protocol }) => Object.hasOwn(protocolOfFolder, protocol))
        .flatMap(toReplies),
    ],
    request: JSON.parse(read("request.json")) as TurnRequest,
    clauses: Object.fromEntries(clauseIds.map((id) => [id, citedClause(id)])),
  };
}

/** A reply of the corpus: the stream, and the body if it has one. */
function toReplies(entry: IndexEntry): readonly CorpusReply[] {
  const { id, protocol, name, source, evidence, maxTokens, stream, body } = entry;
  const common = {
    protocol: protocolOfFolder[protocol],
    ...(source !== undefined && { source }),
    ...(evidence !== undefined && { evidence }),
    ...(maxTokens !== undefined && { maxTokens }),
  };
  return [
    { id, name, ...common, text: read(stream.file) },
    ...(body
      ? [{ id: `${id}.json`, name: `${name}, as one body`, ...common, text: read(body.file) }]
      : []),
  ];
}

function citedClause(id: string): PageContent["clauses"][string] {
  const found = clauses.find((clause) => clause.id === id);
  if (found === undefined) throw new Error(`The suite has no clause ${id}.`);
  const { rule, level, references } = found;
  return { id, rule, level, references };
}
