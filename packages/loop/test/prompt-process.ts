// Runs an agent whose calls are approved by the sample of the README, which is given as a path.
// Standard input is its terminal.
import { pathToFileURL } from "node:url";
import { run } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { recorder } from "./tools.ts";

Object.assign(process.stdout, { isTTY: true });
const { approve, interrupt } = await import(pathToFileURL(process.argv[2] ?? "").href);
const pay = recorder("pay");
const model = mock([{ calls: [{ name: "pay", input: { cents: 500 } }] }, "Done."]);
const outcome = await run({
  adapter: model,
  tools: [pay],
  approve,
  signal: interrupt.signal,
  prompt: "Pay.",
}).outcome();
console.log(
  `\nENDED ${JSON.stringify({ status: outcome.status, paid: pay.ran.length, requests: model.requests.length })}`,
);
