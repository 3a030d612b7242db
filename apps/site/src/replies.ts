import {
  type Exchange,
  judge,
  type Received,
  type ReplyCall,
  type ReplySource,
  type RunnerSubject,
} from "@fullstop/conformance";
import { describeReferences, escapeControls, evidenceLabels } from "@fullstop/conformance/report";
import { wires } from "@fullstop/conformance/wires";
import { inProse } from "@tooling/docs/markdown";
import { slug } from "github-slugger";
import type { Document } from "./documents.ts";

type WireName = keyof typeof wires;

/** The calls of the replies. A program that is judged has a tool of its own. */
const callOf = (number: number): ReplyCall => ({
  name: "write",
  id: `call_canary_${number}`,
  input: { path: `canary-${number}.txt`, content: `canary-${number}-${"abcdefghij".repeat(3)}` },
});
const calls = [callOf(1), callOf(2), callOf(3)] as const;

const content = "Write the file.";
const messages = [{ role: "user", content }];
const maxTokens = 1024;
/** The path and the body of a request over each protocol. */
const requests: Readonly<Record<WireName, (stream: boolean) => readonly [string, object]>> = {
  anthropic: (stream) => ["/v1/messages", { max_tokens: maxTokens, stream, messages }],
  "openai-chat": (stream) => ["/v1/chat/completions", { max_tokens: maxTokens, stream, messages }],
  "openai-responses": (stream) => [
    "/v1/responses",
    { max_output_tokens: maxTokens, stream, input: messages },
  ],
  gemini: (stream) => [
    `/v1beta/models/gemini-3.1-pro:${stream ? "streamGenerateContent" : "generateContent"}`,
    {
      generationConfig: { maxOutputTokens: maxTokens },
      contents: [{ role: "user", parts: [{ text: content }] }],
    },
  ],
  "gemini-interactions": (stream) => [
    "/v1beta/interactions",
    { generation_config: { max_output_tokens: maxTokens }, stream, input: content },
  ],
};

const textOf = ({ answer }: Exchange): string =>
  escapeControls(Buffer.concat(answer.chunks).toString("utf8").replaceAll("\r\n", "\n")).trimEnd();

/** A program that sends one request, and is taken to run the calls of the reply. */
function subjectOf(name: WireName, stream: boolean): RunnerSubject {
  const [path, body] = requests[name](stream);
  const request: Received = { method: "POST", path, headers: {}, body: JSON.stringify(body) };
  return {
    wire: wires[name],
    runner: {
      calls,
      results: () => [content],
      run: async (answer) => {
        await answer(request, 0);
        const ran = calls.map((call) => `${call.name} ${JSON.stringify(call.input)}`);
        return { effects: { calls: ran, damaged: [] }, requests: [request] };
      },
    },
  };
}

interface SentReply {
  readonly name: string;
  readonly source: ReplySource | undefined;
  /** By how it was asked for. */
  readonly texts: Readonly<Record<string, string>>;
}

const forms = { Streamed: true, "In one piece": false };

/** The first reply of each script, by the id of its check. */
async function repliesOf(wire: WireName): Promise<ReadonlyMap<string, SentReply>> {
  const found = new Map<string, SentReply>();
  for (const [form, stream] of Object.entries(forms)) {
    const verdicts = judge(subjectOf(wire, stream), {
      all: true,
      onRun: ({ id, name }, { exchanges: [first], source }) => {
        if (first === undefined) return;
        const texts = { ...found.get(id)?.texts, [form]: textOf(first) };
        found.set(id, { name, source, texts });
      },
    });
    for await (const _ of verdicts);
  }
  return found;
}

const section = ([id, { name, source, texts }]: readonly [string, SentReply]): string =>
  [
    `## \`${id}\``,
    `${inProse(name)}.${source ? ` Such a reply is ${evidenceLabels[source.evidence]}: ${inProse(describeReferences(source.references))}` : ""}`,
    ...Object.entries(texts).map(([form, text]) => `${form}:\n\n\`\`\`\`text\n${text}\n\`\`\`\``),
  ].join("\n\n");

/** The replies that the suite sends to programs. */
export interface Replies {
  readonly documents: readonly Document[];
  /** Where the reply of a check is shown, from the root of the repository. */
  replyOf(protocol: string, checkId: string): string | undefined;
}

export async function collectReplies(): Promise<Replies> {
  const shownAt = new Map<string, string>();
  const documents: Document[] = [];
  for (const wire of Object.keys(wires) as WireName[]) {
    const replies = await repliesOf(wire);
    const title = `Replies over ${wires[wire].name}`;
    const file = `docs/field/replies/${wire}.md`;
    for (const id of replies.keys())
      shownAt.set(`${wires[wire].name} ${id}`, `${file}#${slug(id)}`);
    const about =
      "What the suite sends to a program: the first reply of each check, with calls of a tool named `write`. If a program has another tool, its replies have calls of that tool. The cap is 1024 tokens here, and that of the request otherwise.";
    const text = `# ${title}\n\n${about}\n\n${[...replies].map(section).join("\n\n")}\n`;
    documents.push({ file, page: file, title, text });
  }
  return { documents, replyOf: (protocol, id) => shownAt.get(`${protocol} ${id}`) };
}
