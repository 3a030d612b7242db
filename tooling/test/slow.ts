/**
 * The files of `pnpm test` that take more than five seconds of CPU alone, and why. They start
 * first, so that at the end no worker waits for another.
 */
export const slowFiles: Readonly<Record<string, string>> = {
  "packages/ai-sdk/test/clauses.test.ts":
    "It asks six providers of AI SDK in two forms, over sockets.",
  "packages/langchain/test/clauses.test.ts":
    "It asks five models of LangChain in two forms, over sockets.",
  "packages/provider-openai-compatible/test/conformance.test.ts":
    "It asks each host that differs from the others.",
  "packages/provider-bedrock/test/conformance.test.ts":
    "It asks all clauses in binary frames, and what requests to three families of models hold.",
  "tests/secrets/test/secrets.test.ts":
    "Each failure is a run with a server, a journal and a recording, and each of their texts is searched for pieces of the secret.",
  "tests/handoff/test/handoff.test.ts":
    "Each pair of providers continues a conversation, and each fixture is continued by a fifth of them.",
  "packages/guard/test/clauses/chat.test.ts":
    "It asks the clauses about bytes, errors and requests for the guards of all protocols.",
  "packages/provider-copilot/test/conformance.test.ts":
    "It asks three protocols, each of which Copilot changes in its own way.",
  "packages/guard/test/clauses/responses.test.ts":
    "The same replies are read behind the guard, and again without it.",
  "packages/conformance/test/gateway/gateway.test.ts":
    "It plays replies of four protocols through a sound gateway, and judges each broken one.",
  "packages/provider-anthropic/test/conformance.test.ts":
    "It asks all clauses, also over sockets: its events have names.",
  "packages/guard/test/clauses/anthropic.test.ts":
    "The same replies are read behind the guard, and again without it, also over sockets.",
  "packages/provider-openai/test/responses-conformance.test.ts":
    "It asks all clauses, and the replies of the protocol are ten times as long as those of others.",
  "tests/handoff/test/runs.property.test.ts":
    "It makes 12 random runs with each provider and checks each of their requests.",
  "packages/guard/test/clauses/mutants.test.ts":
    "It asks four wires about each mutant that only a fixture shows.",
  "packages/conformance/test/mutants.test.ts":
    "It asks each clause about its mutants, in each of the small readers and loops.",
  "packages/provider-google/test/conformance.test.ts":
    "It asks all clauses of Gemini, also over sockets.",
  "packages/conformance/test/framing.test.ts":
    "It asks the clauses about bytes in two more framings, and about their mutants.",
  "packages/guard/test/clauses/dialects.test.ts":
    "It asks the guard of each host whose replies differ from those of others.",
  "packages/provider-openai/test/chat-conformance.test.ts":
    "It asks all clauses of Chat Completions, also over sockets.",
  "packages/provider-openai/test/host-clauses.test.ts":
    "It asks three hosts of Responses, whose replies are long.",
};
