import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { createEndpointHandler, service } from "@restatedev/restate-sdk";
import { expect, test, vi } from "vitest";
import { MissingServiceError, type RestateService, startRestate } from "../services/index.ts";
import { isGone } from "./is-gone.ts";

const server = await startRestate().catch((thrown: unknown) => {
  if (thrown instanceof MissingServiceError) return thrown;
  throw thrown;
});

/** Tells the server about a service, which it then knows. */
async function register({ adminUrl }: RestateService): Promise<void> {
  const greeter = service({ name: "Greeter", handlers: { greet: async () => "Hello." } });
  const endpoint = createServer(createEndpointHandler({ services: [greeter] }));
  endpoint.listen(0, "127.0.0.1");
  await once(endpoint, "listening");
  const { port } = endpoint.address() as AddressInfo;
  const response = await fetch(`${adminUrl}/deployments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri: `http://127.0.0.1:${port}` }),
  });
  endpoint.close();
  expect(response.status).toBe(201);
}
const servicesOf = async ({ adminUrl }: RestateService): Promise<readonly string[]> => {
  const response = await fetch(`${adminUrl}/services`);
  const { services } = (await response.json()) as { readonly services: readonly Named[] };
  return services.map(({ name }) => name);
};
interface Named {
  readonly name: string;
}

test("Restate keeps its ports and its data over SIGKILL, and leaves nothing behind", async ({
  skip,
}) => {
  if (server instanceof MissingServiceError) return skip(server.message);
  const before = server.pid;
  expect(await servicesOf(server)).toEqual([]);
  await register(server);
  await server.kill();
  expect(isGone(before)).toBe(true);
  await expect(servicesOf(server)).rejects.toThrow("fetch failed");
  await server.restart();
  expect(await servicesOf(server)).toEqual(["Greeter"]);
  await server.stop();
  expect(isGone(server.pid)).toBe(true);
});

test("without Restate, the error says what to install", async () => {
  vi.stubEnv("PATH", "");
  const start = startRestate({ install: false });
  await expect(start).rejects.toThrow(MissingServiceError);
  await expect(start).rejects.toThrow("FULLSTOP_INSTALL_SERVICES=1");
  vi.unstubAllEnvs();
});
