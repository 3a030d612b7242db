import { type StopTable, unfinishedStops } from "@fullstop/core/adapter";

/** The field of a choice with the upstream provider's reason, and the prefix of such reasons. */
export const nativeFinishReason = "native_finish_reason";

/**
 * What `native_finish_reason` means next to a `finish_reason`: the worse of the two counts, so
 * a reason of a finished reply leaves the decision to `finish_reason`.
 * https://openrouter.ai/docs/api-reference/overview
 */
export const nativeStops: StopTable = /* @__PURE__ */ createNativeStops();

function createNativeStops(): StopTable {
  const unfinished = Object.entries(unfinishedStops).map(([reason, claim]) => [
    `${nativeFinishReason}:${reason}`,
    claim,
  ]);
  return { [nativeFinishReason]: null, ...Object.fromEntries(unfinished) };
}
