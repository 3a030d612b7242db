import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { type JournalStoreOptions, journalConformance } from "@fullstop/conformance/journal";
import { restateJournal } from "@fullstop/restate";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { clearRestateState, MissingServiceError, startRestate } from "@tooling/test/services";
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
    const handler = createEndpointHandler({ services: [object], logger });
    let blocked: (() => void)[] | undefined;
    const endpoint = createServer((request, response) => {
      const handle = (): void => handler(request, response);
      if (blocked === undefined) handle();
      else blocked.push(handle);
    });
    endpoint.listen(0, "127.0.0.1");
    await once(endpoint, "listening");
    const { port } = endpoint.address() as AddressInfo;
    const response = await fetch(`${server.adminUrl}/deployments`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ uri: `http://127.0.0.1:${port}` }),
    });
    expect(response.status).toBe(201);
    const { name } = options;
    return {
      connect: () => restateJournal(options),
      /** Restate calls the object, and gets no answer. */
      block: () => {
        blocked = [];
        return () => {
          const calls = blocked ?? [];
          blocked = undefined;
          for (const call of calls) call();
        };
      },
      remove: () => clearRestateState(server.adminUrl, name),
      close: () => void endpoint.close(),
    };
  };
  journalConformance({ name: "restateJournal", create });
  afterAll(() => server.stop());
}
