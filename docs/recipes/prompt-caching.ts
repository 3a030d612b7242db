// Prompt caching: what does not change comes first, and `cache: "auto"` marks it. node prompt-caching.ts
import { type Message, run } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";

/** Write nothing into it that changes, such as a date: everything after it would be read anew. */
const system = `You answer questions about these rules:\n${"No food in the library. ".repeat(400)}`;
const adapter = anthropic("claude-sonnet-5-5");
/** For an hour instead of five minutes: `anthropic(model, { params: { cache_control: … } })`. */
export const forAnHour = anthropic("claude-sonnet-5-5", {
  params: { cache_control: { type: "ephemeral", ttl: "1h" } },
});

let messages: readonly Message[] = [];
for (const prompt of ["May I eat in the library?", "And may I drink?"]) {
  const outcome = await run({
    adapter,
    system,
    messages,
    prompt,
    request: { cache: "auto" },
  }).outcome();
  const { usage } = outcome;
  // `input` includes what was read from the cache and what was written to it.
  console.log(`${usage.input} tokens of input, ${usage.cacheRead ?? 0} of them from the cache`);
  messages = outcome.messages;
}
