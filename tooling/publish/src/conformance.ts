/** `pnpm conformance`: the command of `apps/cli`, and `all`, which needs the tests of the adapters. */
if (process.argv[2] === "all") {
  process.argv.splice(2, 1);
  await import("./runtimes/providers.ts");
} else {
  process.argv.splice(2, 0, "conformance");
  await import(new URL("../../../apps/cli/src/main.ts", import.meta.url).href);
}
