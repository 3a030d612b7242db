/** Where the repositories are that clauses name without an owner. One that is not here has no link. */
const repositories: Readonly<Record<string, string>> = {
  "adk-python": "google/adk-python",
  "agent-framework": "microsoft/agent-framework",
  "anthropic-sdk-python": "anthropics/anthropic-sdk-python",
  "anthropic-sdk-typescript": "anthropics/anthropic-sdk-typescript",
  autogen: "microsoft/autogen",
  "big-AGI": "enricoros/big-AGI",
  camel: "camel-ai/camel",
  "cc-switch": "farion1231/cc-switch",
  "claude-code": "anthropics/claude-code",
  cline: "cline/cline",
  CLIProxyAPI: "router-for-me/CLIProxyAPI",
  coder: "coder/coder",
  continue: "continuedev/continue",
  "gemini-cli": "google-gemini/gemini-cli",
  "hermes-agent": "NousResearch/hermes-agent",
  langchain: "langchain-ai/langchain",
  letta: "letta-ai/letta",
  litellm: "BerriAI/litellm",
  "lmstudio-bug-tracker": "lmstudio-ai/lmstudio-bug-tracker",
  mastra: "mastra-ai/mastra",
  "ms-agent": "modelscope/ms-agent",
  nanobot: "HKUDS/nanobot",
  "new-api": "QuantumNous/new-api",
  "openai-agents-js": "openai/openai-agents-js",
  "openai-python": "openai/openai-python",
  openclaw: "openclaw/openclaw",
  opencode: "anomalyco/opencode",
  pi: "earendil-works/pi",
  "pydantic-ai": "pydantic/pydantic-ai",
  sglang: "sgl-project/sglang",
  strands: "strands-agents/harness-sdk",
  vllm: "vllm-project/vllm",
};

/** A piece of a sentence; `url` where it names something public. */
export interface Piece {
  readonly text: string;
  readonly url?: string;
}

const sourcePattern =
  /(?<url>https:\/\/[^\s<>"']*[^\s<>"'.,:;)])|(?<owner>[\w.-]+\/)?(?<repository>[\w.-]+)#(?<number>\d+)/g;

/** A sentence, with what it names: addresses, and issues by `owner/repository#1` or `repository#1`. */
export function findSources(because: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of because.matchAll(sourcePattern)) {
    if (match.index > end) pieces.push({ text: because.slice(end, match.index) });
    pieces.push(toPiece(match[0], match.groups ?? {}));
    end = match.index + match[0].length;
  }
  if (end < because.length) pieces.push({ text: because.slice(end) });
  return pieces;
}

function findRepository(owner: string | undefined, name: string): string | undefined {
  if (owner !== undefined) return owner + name;
  return Object.hasOwn(repositories, name) ? repositories[name] : undefined;
}

function toPiece(
  text: string,
  { url, owner, repository = "", number }: Readonly<Record<string, string | undefined>>,
): Piece {
  if (url !== undefined) return { text, url };
  const path = findRepository(owner, repository);
  return path === undefined
    ? { text }
    : { text, url: `https://github.com/${path}/issues/${number}` };
}
