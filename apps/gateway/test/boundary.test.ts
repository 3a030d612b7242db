import { createGateway, startServer } from "@fullstop/gateway";
import { seed } from "@tooling/test/property";
import { expect, test } from "vitest";
import { ask, replies } from "./replies.ts";
import { openWildUpstream } from "./wild.ts";

// boundary.program.test.ts sends 100,000 to the command.
test("200 requests and replies of any form end no other reply", async () => {
  using upstream = await openWildUpstream(seed);
  const thrown: unknown[] = [];
  const onError = (...given: readonly unknown[]): void => void thrown.push(given.at(-1));
  const routes = { up: { url: upstream.url } };
  const server = await startServer({
    // A sign of life on a busy machine would be a part of the reply.
    handler: createGateway({ routes, onError, guard: { keepAliveMs: Number.POSITIVE_INFINITY } }),
    port: 0,
    onError,
  });
  const running = await ask(`http://127.0.0.1:${server.port}`);
  await upstream.play(server.port, 200);
  upstream.finish();
  expect(await running.text()).toBe(replies.anthropic.finished);
  await expect.poll(server.active).toBe(0);
  await server.stop(0);
  expect(thrown).toEqual([]);
});
