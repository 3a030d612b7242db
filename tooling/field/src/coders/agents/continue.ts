import { shellCall } from "../action.ts";
import { type Coder, key, prompt } from "../coder.ts";

const continueConfig = (server: string): string => `name: Loopback
version: 1.0.0
schema: v1
models:
  - name: Loopback
    provider: openai
    model: loopback-1
    apiBase: ${server}/v1
    apiKey: ${key}
    roles: [chat]
    capabilities: [tool_use]
`;

/** https://github.com/continuedev/continue */
export const continueCli: Coder = {
  name: "continue",
  title: "Continue",
  origin: { npm: "@continuedev/cli", version: "1.5.47" },
  ways: {
    "Chat, Bash": {
      wire: "openai-chat",
      action: shellCall("Bash", (command) => ({ command })),
      launch: ({ server, home, program }) => ({
        command: [program("cn"), "--print", "--auto", "--config", `${home}/config.yaml`, prompt],
        env: { CONTINUE_CLI_ENABLE_TELEMETRY: "0" },
        files: { "config.yaml": continueConfig(server) },
      }),
    },
  },
};
