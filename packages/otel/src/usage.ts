import type { Usage } from "@fullstop/loop";
import type { Attributes } from "@opentelemetry/api";
import { attributes } from "./names.ts";

/** A count of 0 means that the provider did not report it. */
export const tokenAttributes = ({
  input,
  output,
}: Pick<Usage, "input" | "output">): Attributes => ({
  ...(input > 0 && { [attributes.inputTokens]: input }),
  ...(output > 0 && { [attributes.outputTokens]: output }),
});
