import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@tooling/publish/process";
import { installTool } from "@tooling/publish/tool";
import { installFromPypi } from "./coders/install.ts";
import { programIn } from "./toolchains/environment.ts";

/** One run of `conformance gateway`: what it asks, and the command that starts the gateway. */
export interface GatewayRun {
  /** The options of the command, and the words after `--`. */
  readonly options: readonly string[];
  readonly start: readonly string[];
}

/** A gateway that installs from a registry, or belongs to this repository. */
export interface FieldGateway {
  readonly name: string;
  readonly title: string;
  /** A note for the reader of the report. */
  readonly note?: string;
  readonly version: string;
  /** Installs it, and returns its runs. */
  prepare(): Promise<readonly GatewayRun[]>;
}

const chat = "--front=chat=http://127.0.0.1:{port}/v1";
const responses = "--front=responses=http://127.0.0.1:{port}/v1";
const anthropic = "--front=anthropic=http://127.0.0.1:{port}";
const gemini = "--front=gemini=http://127.0.0.1:{port}";

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

const litellm: FieldGateway = {
  name: "litellm",
  title: "LiteLLM proxy",
  version: litellmVersion,
  note: "Without retries and cooldowns.",
  prepare: async () => {
    const folder = await installLitellm();
    const config = join(root, "tooling/field/litellm.yaml");
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

const portkeyVersion = "1.15.2";
/** The last version whose streams Portkey's gateway can change. */
const honoServerVersion = "1.13.8";

/** What Portkey calls the provider, where its API is, and the fronts. */
const portkeyProviders: Readonly<
  Record<string, { readonly provider: string; readonly path: string; fronts: readonly string[] }>
> = {
  anthropic: { provider: "anthropic", path: "/v1", fronts: [chat, anthropic] },
  "openai-chat": { provider: "openai", path: "/v1", fronts: [chat] },
  "openai-responses": { provider: "openai", path: "/v1", fronts: [responses] },
  gemini: { provider: "google", path: "/v1beta", fronts: [chat] },
};

const portkey: FieldGateway = {
  name: "portkey",
  title: "Portkey gateway",
  version: portkeyVersion,
  note: `With @hono/node-server ${honoServerVersion}: with 1.19.19, which npm installs on the day of the measurement, it answers streams that it does not translate with the status 500 ("TypeError: immutable").`,
  prepare: async () => {
    const folder = await installTool({
      name: "@portkey-ai/gateway",
      version: portkeyVersion,
      overrides: { "@hono/node-server": honoServerVersion },
    });
    const server = join(folder, "node_modules/@portkey-ai/gateway/build/start-server.js");
    return Object.entries(portkeyProviders).map(([behind, { provider, path, fronts }]) => ({
      options: [
        ...fronts,
        `--behind=${behind}`,
        `--header=x-portkey-provider: ${provider}`,
        `--header=x-portkey-custom-host: {upstream}${path}`,
      ],
      start: ["node", server, "--port={port}", "--headless"],
    }));
  },
};

const ownFronts: Readonly<Record<string, string>> = {
  anthropic,
  "openai-chat": chat,
  "openai-responses": responses,
  gemini,
};

/** The gateway of this repository, from its sources. */
const own: FieldGateway = {
  name: "fullstop",
  title: "Fullstop gateway",
  version: readVersion("apps/gateway"),
  note: "It was developed with this suite: its rows show only that it still passes.",
  prepare: async () =>
    Object.values(ownFronts).map((front) => ({
      options: [front, "--start-timeout=120"],
      start: [
        process.execPath,
        "--conditions=@fullstop/source",
        join(root, "apps/cli/src/main.ts"),
        "gateway",
        "--to",
        "local={upstream}",
        "--port",
        "{port}",
      ],
    })),
};

/** The version in the package.json of a folder. */
function readVersion(folder: string): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(join(root, folder, "package.json"), "utf8"),
  );
  return manifest.version;
}

/** The gateways, in the order of the report. */
export const gateways: readonly FieldGateway[] = [litellm, portkey, own];
