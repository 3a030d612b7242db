import { shellCall } from "../action.ts";
import { type Coder, key, prompt } from "../coder.ts";

const vibeConfig = (server: string): string => `active_model = "loopback"
enable_telemetry = false
enable_update_checks = false
enable_auto_update = false

[[providers]]
name = "loopback"
api_base = "${server}/v1"
api_key_env_var = "LOOPBACK_KEY"
api_style = "openai"
backend = "generic"

[[models]]
name = "loopback-1"
provider = "loopback"
alias = "loopback"
`;

/** https://github.com/mistralai/mistral-vibe */
export const mistralVibe: Coder = {
  name: "mistral-vibe",
  title: "Mistral Vibe",
  origin: {
    pypi: "mistral-vibe",
    version: "3.0.2",
    interpreters: ["python3.12", "python3.13", "python3"],
  },
  ways: {
    "Chat, bash": {
      wire: "openai-chat",
      action: shellCall("bash", (command) => ({ command })),
      launch: ({ server, program }) => ({
        command: [program("vibe"), "--auto-approve", "--trust", "--prompt", prompt],
        env: { LOOPBACK_KEY: key },
        files: { ".vibe/config.toml": vibeConfig(server) },
      }),
    },
  },
};
