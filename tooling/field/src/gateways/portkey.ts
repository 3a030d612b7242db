import { join } from "node:path";
import { installTool } from "@tooling/publish/tool";
import { anthropic, chat, type FieldGateway, responses } from "./gateway.ts";

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

export const portkey: FieldGateway = {
  name: "portkey",
  title: "Portkey gateway",
  version: portkeyVersion,
  origin: { npm: "@portkey-ai/gateway" },
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
