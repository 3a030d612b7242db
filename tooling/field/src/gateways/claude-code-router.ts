import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root, scratch } from "@tooling/publish/process";
import { installTool } from "@tooling/publish/tool";
import { anthropic, type FieldGateway } from "./gateway.ts";

const claudeCodeRouterVersion = "2.0.0";

/** An empty home folder with the configuration, where the program looks for it. */
function createHome(): string {
  const home = scratch("claude-code-router");
  const folder = join(home, ".claude-code-router");
  mkdirSync(folder, { recursive: true });
  const config = join(root, "tooling/field/gateways/claude-code-router.json");
  copyFileSync(config, join(folder, "config.json"));
  return home;
}

export const claudeCodeRouter: FieldGateway = {
  name: "claude-code-router",
  title: "Claude Code Router",
  version: claudeCodeRouterVersion,
  origin: { npm: "@musistudio/claude-code-router" },
  note: "The newest version that installs: 3.1.1 cannot be installed, because npm does not find @the-next-ai/ai-gateway. Without its log files, which hold every reply.",
  prepare: async () => {
    const folder = await installTool({
      name: "@musistudio/claude-code-router",
      version: claudeCodeRouterVersion,
    });
    const program = join(folder, "node_modules/@musistudio/claude-code-router/dist/cli.js");
    return [
      {
        options: [
          anthropic,
          "--behind=anthropic=anthropic,claude-sonnet-5-5",
          "--behind=openai-chat=openai-chat,gpt-5.2",
          "--behind=gemini=gemini,gemini-3.1-pro",
          "--start-timeout=180",
        ],
        start: ["env", `HOME=${createHome()}`, "SERVICE_PORT={port}", "node", program, "start"],
      },
    ];
  },
};
