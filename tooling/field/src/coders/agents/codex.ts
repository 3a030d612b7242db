import {
  type Action,
  customCall,
  effectFile,
  firstText,
  secondText,
  shellCall,
} from "../action.ts";
import { type Coder, type CoderWay, key, prompt } from "../coder.ts";

const codexConfig = (server: string): string => `model_provider = "loopback"
check_for_update_on_startup = false

[model_providers.loopback]
name = "Loopback"
base_url = "${server}/v1"
env_key = "LOOPBACK_KEY"
wire_api = "responses"

[analytics]
enabled = false
`;

const codexWay = (model: string, action: Action): CoderWay => ({
  wire: "openai-responses",
  action,
  launch: ({ server, program }) => ({
    command: [
      program("codex"),
      "exec",
      "--skip-git-repo-check",
      "--dangerously-bypass-approvals-and-sandbox",
      "--model",
      model,
      prompt,
    ],
    env: { LOOPBACK_KEY: key },
    files: { ".codex/config.toml": codexConfig(server) },
  }),
});

const patch = customCall("apply_patch", [
  `*** Begin Patch\n*** Add File: ${effectFile}\n+${firstText}\n`,
  `+${secondText}\n`,
  "*** End Patch\n",
]);

const script = customCall("exec", [
  `await tools.exec_command({ cmd: "printf ${firstText} >> ${effectFile}" });\n`,
  `await tools.exec_command({ cmd: "printf ${secondText} >> ${effectFile}" });\n`,
  "",
]);

/** https://github.com/openai/codex */
export const codex: Coder = {
  name: "codex",
  title: "Codex",
  origin: { npm: "@openai/codex", version: "0.171.0" },
  ways: {
    "Responses, exec_command": codexWay(
      "loopback-1",
      shellCall("exec_command", (cmd) => ({ cmd })),
    ),
    "Responses, apply_patch": codexWay("gpt-5.5", patch),
    "Responses, code mode": codexWay("gpt-6-sol", script),
  },
};
