import type { Notes } from "./notes.ts";

interface Provider {
  /** The call that makes an adapter. */
  readonly factory: string;
  /** More that a program needs before it. */
  readonly before?: string;
  readonly mistake: string;
}

const cap =
  "An output cap in `params`: it is refused. Set `request: { maxTokens }` of `run`, so that the gate knows it.";
const retries =
  "A retry around the adapter. `recovery` of `run` counts all attempts; the adapter makes none.";

const providerRows: Readonly<Record<string, Provider>> = {
  anthropic: {
    factory: 'anthropic("claude-sonnet-5-5")',
    mistake:
      "`ANTHROPIC_BASE_URL` is ignored: pass `baseURL`. The key is read from the environment.",
  },
  openai: {
    factory: 'openai("gpt-5.5")',
    mistake:
      "`openai` speaks Responses. For Chat Completions use `openaiChat`, and for other hosts `@fullstop/provider-openai-compatible`. `OPENAI_BASE_URL` is ignored: pass `baseURL`.",
  },
  google: {
    factory: 'google("gemini-3.1-pro")',
    mistake:
      "Variables for Vertex AI are ignored: pass `client: new GoogleGenAI({ vertexai: true, … })`.",
  },
  bedrock: {
    factory: 'bedrock("eu.anthropic.claude-sonnet-4-5-20250929-v1:0", { region: "eu-central-1" })',
    mistake:
      "The name of a model of Anthropic's own API. Bedrock takes the id of a model or of an inference profile.",
  },
  mistral: {
    factory: 'mistral("mistral-large-latest")',
    mistake:
      "`OPENAI_API_KEY`: it is ignored, although the SDK is `openai`. The key is `MISTRAL_API_KEY`.",
  },
  ollama: {
    factory: 'ollama("qwen3", { params: { options: { num_ctx: 32_768 } } })',
    mistake:
      "No `num_ctx`: then the server chooses a window, often of 4,096 tokens, which is too small for an agent.",
  },
  "openai-compatible": {
    factory: 'openaiCompatible("groq", "openai/gpt-oss-120b")',
    mistake:
      "A dialect that is not listed. Use `custom` with a `baseURL`, and say what differs in options such as `mislabelsTruncation`.",
  },
  copilot: {
    factory: 'copilot("claude-sonnet-5", { token })',
    before:
      'const token = async () => ({ token: "a Copilot token", expiresAt: Date.now() + 1_500_000, baseURL: undefined });\n',
    mistake:
      "A GitHub token in place of a Copilot token. `token` exchanges it: the README shows how.",
  },
};

function providerNotesOf(name: string, { factory, before = "", mistake }: Provider): Notes {
  const [made = ""] = factory.split("(");
  const entry = `\`${made}(model, options)\` of \`@fullstop/provider-${name}\` makes the adapter that \`run\` of \`@fullstop/loop\` and \`readTurn\` of \`@fullstop/core\` take. \`@fullstop/provider-${name}/reply\` reads replies for \`createGate\` without the SDK.`;
  const ts = `import { run } from "@fullstop/loop";
import { ${made} } from "@fullstop/provider-${name}";

${before}console.log(await run({ adapter: ${factory}, prompt: "Hello." }).text());`;
  return { entry, example: { ts }, mistakes: [mistake, cap, retries] };
}

/** By the folder of the package. */
export const providerNotes: Readonly<Record<string, Notes>> = {
  ...Object.fromEntries(
    Object.entries(providerRows).map(([name, row]) => [
      `provider-${name}`,
      providerNotesOf(name, row),
    ]),
  ),
  "provider-openai-websocket": {
    entry:
      "`responsesSocket()` of `@fullstop/provider-openai-websocket` is a `client` for `openai` of `@fullstop/provider-openai`. It runs on servers, and not in workers.",
    example: {
      ts: `import { run } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";
import { responsesSocket } from "@fullstop/provider-openai-websocket";

const client = responsesSocket();
console.log(await run({ adapter: openai("gpt-5.5", { client }), prompt: "Hello." }).text());
client.close();`,
    },
    mistakes: [
      "A client for each request: then each opens a socket. Several runs may share one.",
      "`fetch` or `baseURL` of `openai`: the client has options of its own.",
      retries,
    ],
  },
};
