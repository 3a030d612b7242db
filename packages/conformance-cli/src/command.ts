export { conformanceCommand } from "./commands/conformance.ts";
export { describeError } from "./describe-error.ts";
