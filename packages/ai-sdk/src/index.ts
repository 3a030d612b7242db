export { type FinishedCallsOptions, finishedCalls } from "./finished-calls.ts";
export { languageModel } from "./language-model.ts";
