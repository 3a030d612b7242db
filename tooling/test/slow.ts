/**
 * The files of `pnpm test` that take more than five seconds of CPU alone, and why. They start
 * first, so that at the end no worker waits for another.
 */
export const slowFiles: Readonly<Record<string, string>> = {
  "packages/provider-openai-compatible/test/conformance.test.ts":
    "It asks each host that differs from the others.",
  "packages/conformance/test/gateway/gateway.test.ts":
    "It plays replies of four protocols through a sound gateway, and judges each broken one.",
  "packages/provider-bedrock/test/conformance.test.ts":
    "It asks all clauses in binary frames, and what requests to three families of models hold.",
  "packages/guard/test/clauses/chat.test.ts":
    "It asks the clauses about bytes, errors and requests for the guards of all protocols.",
  "packages/conformance/test/mutants.test.ts":
    "It asks each clause about its mutants, in each of the small readers and loops.",
  "tooling/fuzz/test/fuzz.test.ts":
    "It reads generated replies of each protocol, and looks for the fault of each broken reader.",
  "tests/secrets/test/secrets.test.ts":
    "Each failure is a run with a server, a journal and a recording, and each of their texts is searched for pieces of the secret.",
  "tests/handoff/test/handoff.test.ts":
    "Each pair of protocols continues a conversation, and each fixture goes to one of the providers.",
  "packages/guard/test/clauses/dialects.test.ts":
    "It asks the guard of hosts with each value of each flag for replies.",
  "packages/provider-google/test/interactions-conformance.test.ts":
    "It asks all clauses of Interactions, also over sockets.",
  "packages/provider-anthropic/test/conformance.test.ts":
    "It asks all clauses, also over sockets: its events have names.",
  "packages/provider-google/test/conformance.test.ts":
    "It asks all clauses of Gemini, also over sockets.",
  "packages/provider-openai/test/chat-conformance.test.ts":
    "It asks all clauses of Chat Completions, also over sockets.",
  "packages/conformance/test/framing.test.ts":
    "It asks the clauses about bytes in two more framings, and about their mutants.",
};
