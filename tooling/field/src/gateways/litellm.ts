import { join } from "node:path";
import { root } from "@tooling/publish/process";
import { installFromPypi } from "../coders/install.ts";
import { programIn } from "../toolchains/environment.ts";
import { anthropic, chat, type FieldGateway, gemini, responses } from "./gateway.ts";

const litellmVersion = "1.106.2";

/** A virtual environment of Python with LiteLLM's proxy. */
const installLitellm = (): Promise<string> =>
  installFromPypi({
    pypi: "litellm",
    version: litellmVersion,
    extra: [`litellm[proxy]==${litellmVersion}`],
    interpreters: ["python3", "python3.12", "python3.11"],
  });

/** LiteLLM's pairs: models of OpenAI leave the Messages and Responses fronts as Responses. */
const litellmPairs: readonly {
  readonly fronts: readonly string[];
  readonly behind: readonly string[];
}[] = [
  { fronts: [chat], behind: ["anthropic", "openai-chat", "openai-responses", "gemini"] },
  { fronts: [responses, anthropic], behind: ["anthropic", "openai-responses", "gemini"] },
  { fronts: [gemini], behind: ["anthropic", "gemini"] },
];

export const litellm: FieldGateway = {
  name: "litellm",
  title: "LiteLLM proxy",
  version: litellmVersion,
  origin: { pypi: "litellm" },
  note: "Without retries and cooldowns.",
  prepare: async () => {
    const folder = await installLitellm();
    const config = join(root, "tooling/field/gateways/litellm.yaml");
    const start = [programIn(folder, "litellm")];
    const more = ["--config", config, "--host", "127.0.0.1", "--port", "{port}"];
    return litellmPairs.map(({ fronts, behind }) => ({
      options: [
        ...fronts,
        ...behind.map((protocol) => `--behind=${protocol}=to-${protocol}`),
        "--start-timeout=180",
      ],
      start: [...start, ...more, "--telemetry", "False"],
    }));
  },
};
