import { join } from "node:path";
import { root, scratch } from "@tooling/publish/process";
import { installFromPypi } from "../coders/install.ts";
import { programIn } from "../toolchains/environment.ts";
import { anthropic, chat, type FieldGateway, gemini, responses } from "./gateway.ts";

const llmRosettaVersion = "0.13.0";

export const llmRosetta: FieldGateway = {
  name: "llm-rosetta",
  title: "LLM-Rosetta gateway",
  version: llmRosettaVersion,
  origin: { pypi: "llm-rosetta" },
  note: "Open to requests without a key of its own.",
  prepare: async () => {
    const folder = await installFromPypi({
      pypi: "llm-rosetta",
      version: llmRosettaVersion,
      interpreters: ["python3", "python3.12", "python3.11"],
    });
    const config = join(root, "tooling/field/gateways/llm-rosetta.jsonc");
    const behind = ["anthropic", "openai-chat", "openai-responses", "gemini"];
    return [
      {
        options: [
          chat,
          responses,
          anthropic,
          gemini,
          ...behind.map((protocol) => `--behind=${protocol}=to-${protocol}`),
          "--start-timeout=180",
        ],
        start: [
          programIn(folder, "llm-rosetta-gateway"),
          "--config",
          config,
          "--data-dir",
          scratch("llm-rosetta"),
          "--port",
          "{port}",
        ],
      },
    ];
  },
};
