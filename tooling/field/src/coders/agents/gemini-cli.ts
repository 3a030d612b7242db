import { shellCall } from "../action.ts";
import { type Coder, key, prompt } from "../coder.ts";

/** https://github.com/google-gemini/gemini-cli */
export const geminiCli: Coder = {
  name: "gemini-cli",
  title: "Gemini CLI",
  origin: { npm: "@google/gemini-cli", version: "0.61.0" },
  ways: {
    "Gemini, shell": {
      wire: "gemini",
      action: shellCall("run_shell_command", (command) => ({ command })),
      launch: ({ server, program }) => ({
        command: [
          program("gemini"),
          "--yolo",
          "--skip-trust",
          "--model",
          "gemini-3-pro-preview",
          "--prompt",
          prompt,
        ],
        env: { GOOGLE_GEMINI_BASE_URL: server, GEMINI_API_KEY: key },
        files: {
          ".gemini/settings.json": JSON.stringify({
            security: { auth: { selectedType: "gemini-api-key" } },
            privacy: { usageStatisticsEnabled: false },
            general: { enableAutoUpdate: false, disableAutoUpdate: true },
          }),
        },
      }),
    },
  },
};
