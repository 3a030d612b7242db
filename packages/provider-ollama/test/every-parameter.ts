import type { OllamaOptions } from "@fullstop/provider-ollama";

/** One value for each parameter. A model may refuse some of them, or two together. */
export const options: OllamaOptions = {
  headers: { "x-trace": "42" },
  params: {
    keep_alive: "10m",
    think: true,
    truncate: false,
    shift: false,
    options: {
      num_ctx: 32_768,
      temperature: 0.2,
      top_p: 0.9,
      top_k: 40,
      min_p: 0.05,
      seed: 7,
      stop: ["END"],
      repeat_penalty: 1.1,
    },
  },
};
