export { type FinishedCallsOptions, finishedCalls } from "./finished-calls.ts";
export type { Evidence } from "./judge.ts";
export { languageModel } from "./language-model.ts";
