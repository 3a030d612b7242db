/**
 * The files of `pnpm test` that take more than five seconds of CPU alone, and why. They start
 * first, so that at the end no worker waits for another.
 */
export const slowFiles: Readonly<Record<string, string>> = {
  "packages/guard/test/clauses/mutants.test.ts":
    "It asks four wires about each mutant that only a fixture shows.",
  "packages/provider-openai-compatible/test/conformance.test.ts":
    "It asks each host that differs from the others.",
  "packages/provider-openai/test/responses-conformance.test.ts":
    "It asks all clauses, and the replies of the protocol are ten times as long as those of others.",
  "packages/guard/test/clauses/responses.test.ts":
    "The same replies are read behind the guard, and again without it.",
  "packages/provider-bedrock/test/conformance.test.ts":
    "It asks all clauses in binary frames, and what requests to three families of models hold.",
  "packages/guard/test/clauses/dialects.test.ts":
    "It asks the guard of each host whose replies differ from those of others.",
  "packages/conformance/test/gateway/gateway.test.ts":
    "It plays each reply of the suite through a sound gateway, and judges twenty broken ones.",
  "packages/conformance/test/mutants.test.ts": "It asks each clause about each of its mutants.",
  "packages/conformance/test/framing.test.ts":
    "It asks all clauses in the two other framings, and the clauses about bytes about their mutants.",
};
