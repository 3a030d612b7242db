import { globSync } from "node:fs";
import { agent } from "./agent.ts";
import { collected } from "./collect.ts";

for (const path of globSync("packages/*/test/*.test.ts").sort()) await import(`./${path}`);

const asked = new Set<string>();
for (const { subject } of collected) {
  if (!("adapter" in subject) || asked.has(subject.wire.name)) continue;
  asked.add(subject.wire.name);
  await agent(subject.wire, (baseURL) => subject.adapter({ baseURL, apiKey: "none" }));
  console.log(subject.wire.name);
}
