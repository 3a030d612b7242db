/** Owners of the repositories that clauses name without one. */
const owners: Readonly<Record<string, string>> = {
  "adk-python": "google",
  "anthropic-sdk-python": "anthropics",
  "anthropic-sdk-typescript": "anthropics",
  autogen: "microsoft",
  "big-AGI": "enricoros",
  camel: "camel-ai",
  "cc-switch": "farion1231",
  "claude-code": "anthropics",
  cline: "cline",
  CLIProxyAPI: "router-for-me",
  coder: "coder",
  continue: "continuedev",
  "gemini-cli": "google-gemini",
  "hermes-agent": "NousResearch",
  langchain: "langchain-ai",
  letta: "letta-ai",
  litellm: "BerriAI",
  "lmstudio-bug-tracker": "lmstudio-ai",
  mastra: "mastra-ai",
  "ms-agent": "modelscope",
  nanobot: "HKUDS",
  "new-api": "QuantumNous",
  "openai-agents-js": "openai",
  "openai-python": "openai",
  openclaw: "openclaw",
  opencode: "anomalyco",
  pi: "earendil-works",
  "pydantic-ai": "pydantic",
  sglang: "sgl-project",
  vllm: "vllm-project",
};

/** A piece of a sentence; `url` where it names something public. */
export interface Piece {
  readonly text: string;
  readonly url?: string;
}

const source = /(?<url>https:\/\/[^\s<>"']*[^\s<>"'.,:;)])|(?<owner>[\w.-]+\/)?(?<repository>[\w.-]+)#(?<number>\d+)/g;

/** A sentence, with what it names: addresses, and issues by `owner/repository#1` or `repository#1`. */
export function sources(because: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of because.matchAll(source)) {
    if (match.index > end) pieces.push({ text: because.slice(end, match.index) });
    pieces.push(named(match[0], match.groups ?? {}));
    end = match.index + match[0].length;
  }
  if (end < because.length) pieces.push({ text: because.slice(end) });
  return pieces;
}

function named(text: string, { url, owner, repository = "", number }: Readonly<Record<string, string | undefined>>): Piece {
  if (url !== undefined) return { text, url };
  const of = owner?.slice(0, -1) ?? (Object.hasOwn(owners, repository) ? owners[repository] : undefined);
  return of === undefined ? { text } : { text, url: `https://github.com/${of}/${repository}/issues/${number}` };
}
