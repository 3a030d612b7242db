import { globSync } from "node:fs";
import { agent } from "./agent.ts";
import { collected } from "./collect.ts";

for (const path of globSync("packages/*/test/*.test.ts").sort()) await import(`./${path}`);

for (const { subject } of collected) {
  if (!("adapter" in subject)) continue;
  await agent(subject.wire, (baseURL) => subject.adapter({ baseURL, apiKey: "none" }));
  console.log(subject.wire.name);
}
