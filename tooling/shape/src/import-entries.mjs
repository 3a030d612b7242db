// Imports modules as a worker of Cloudflare does: import-entries.mjs MODULE...
// Prints one line for each module that starts a timer, creates a signal, sends a request or makes a
// random id while it is imported. https://developers.cloudflare.com/workers/runtime-apis/handlers/
import { pathToFileURL } from "node:url";

const refuse = (name) =>
  function refused() {
    throw new Error(`uses ${name} while it is imported`);
  };
for (const name of [
  "AbortController",
  "fetch",
  "queueMicrotask",
  "setImmediate",
  "setInterval",
  "setTimeout",
])
  globalThis[name] = refuse(name);
for (const name of ["getRandomValues", "randomUUID"]) crypto[name] = refuse(name);
AbortSignal.timeout = refuse("AbortSignal.timeout");

for (const path of process.argv.slice(2))
  await import(pathToFileURL(path).href).catch(({ message }) =>
    process.stdout.write(`${path}: ${message}\n`),
  );
