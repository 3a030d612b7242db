import { shellCall } from "../action.ts";
import { type Coder, key, prompt } from "../coder.ts";

const providers = (server: string): object => ({
  version: 1,
  lastUsedProvider: "openai-compatible",
  modes: {},
  providers: {
    "openai-compatible": {
      settings: {
        provider: "openai-compatible",
        apiKey: key,
        model: "loopback-1",
        baseUrl: `${server}/v1`,
      },
      updatedAt: "2026-11-22T00:00:00.000Z",
      tokenSource: "manual",
    },
  },
});

/** https://github.com/cline/cline */
export const cline: Coder = {
  name: "cline",
  title: "Cline",
  origin: { npm: "cline", version: "3.0.65" },
  ways: {
    "Chat, run_commands": {
      wire: "openai-chat",
      action: shellCall("run_commands", (command) => ({ commands: [command] })),
      launch: ({ server, program }) => ({
        command: [
          program("cline"),
          "--provider",
          "openai-compatible",
          "--model",
          "loopback-1",
          prompt,
        ],
        files: { ".cline/data/settings/providers.json": JSON.stringify(providers(server)) },
      }),
    },
  },
};
