/**
 * Guards the global `fetch` of a program: `node --import @fullstop/guard/register app.js`.
 * `FULLSTOP_GUARD=strict` refuses requests that name tools and cannot be judged.
 */
import { guard } from "./guard.ts";

const { process } = globalThis as {
  readonly process?: { readonly env: Readonly<Record<string, string | undefined>> };
};
globalThis.fetch = guard(globalThis.fetch, {
  strict: process?.env["FULLSTOP_GUARD"] === "strict",
});
