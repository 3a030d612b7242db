import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runProgram, scratch, start } from "../src/install/process.ts";

const cwd = scratch("test");
const module = fileURLToPath(new URL("../src/install/process.ts", import.meta.url));
/**
 * Creates a folder, starts a program that stays connected while it lives, and prints the folder.
 */
const busy = (port: number): string => `
  const { scratch, start } = await import(${JSON.stringify(module)});
  const folder = scratch("busy");
  start([process.execPath, "-e", "require('node:net').connect(${port}, '127.0.0.1')"], { cwd: folder });
  console.log(folder);
`;

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s ends started programs and deletes created folders", async (signal, expected) => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const program = start([process.execPath, "--input-type=module", "-e", busy(port)], { cwd });
  const printed = once(program.stdout ?? program, "data") as Promise<[Buffer]>;
  const [connection] = (await once(server, "connection")) as [Socket];
  const folder = (await printed)[0].toString().trim();
  expect(existsSync(folder)).toBe(true);
  const gone = once(connection.resume(), "close");
  program.kill(signal);
  const [code] = (await once(program, "close")) as [number | null];
  expect(code).toBe(expected);
  expect(existsSync(folder)).toBe(false);
  await gone;
  server.close();
});

it("the error of a failed program contains its output", async () => {
  const failing = runProgram(
    [process.execPath, "-e", "console.log('out'); console.error('err'); process.exit(3)"],
    { cwd },
  );
  await expect(failing).rejects.toThrow(/ended with 3:\n(out\nerr|err\nout)/);
});
