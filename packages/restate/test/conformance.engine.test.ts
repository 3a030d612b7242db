import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { type JournalStoreOptions, journalConformance } from "@fullstop/conformance/journal";
import { restateJournal } from "@fullstop/restate";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { MissingServiceError, startRestate } from "@tooling/services";
import { afterAll, expect, test } from "vitest";

const server = await startRestate().catch((thrown: unknown) => {
  if (thrown instanceof MissingServiceError) return thrown;
  throw thrown;
});

if (server instanceof MissingServiceError)
  test("the clauses for journals", ({ skip }) => skip(server.message));
else {
  let stores = 0;
  const create = async ({ leaseMs }: JournalStoreOptions) => {
    const options = { ingressUrl: server.url, name: `Journal${++stores}`, leaseMs };
    const { object } = restateJournal(options);
    const logger = (): void => {};
    const endpoint = createServer(createEndpointHandler({ services: [object], logger }));
    endpoint.listen(0, "127.0.0.1");
    await once(endpoint, "listening");
    const response = await fetch(`${server.adminUrl}/deployments`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ uri: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}` }),
    });
    expect(response.status).toBe(201);
    return { connect: () => restateJournal(options), close: () => void endpoint.close() };
  };
  journalConformance({ name: "restateJournal", create });
  afterAll(() => server.stop());
}
