import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@tooling/publish/process";
import { anthropic, chat, type FieldGateway, gemini, responses } from "./gateway.ts";

const ownFronts: Readonly<Record<string, string>> = {
  anthropic,
  "openai-chat": chat,
  "openai-responses": responses,
  gemini,
};

/** The gateway of this repository, from its sources. */
export const own: FieldGateway = {
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
