export { finishedCalls } from "./finished-calls.ts";
