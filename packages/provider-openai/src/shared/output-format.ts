import type { Adapter } from "@fullstop/core";

/** Models before `gpt-4o-2024-08-06`, and models that do not write text alone. */
const without =
  /gpt-3|gpt-4(?![.o])|gpt-4o-2024-05-13|chatgpt|o1-(mini|preview)|audio|realtime|deep-research|computer-use/;

/**
 * Both APIs take a schema for the text of a reply, also in a request that offers tools.
 * https://developers.openai.com/api/docs/guides/structured-outputs
 */
export const openaiOutputFormat = (model: string): Adapter["outputFormat"] =>
  without.test(model) ? undefined : "always";
