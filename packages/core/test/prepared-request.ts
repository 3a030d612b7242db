import { expect } from "vitest";
import type { EventBatches, Origin, TurnEvent } from "../src/adapter/index.ts";
import { type Adapter, readTurn, type TurnRequest } from "../src/index.ts";
import { acme } from "./acme.ts";
import { stop } from "./reply.ts";

/** The adapter of `sent`. */
export const here: Origin = { provider: "acme", protocol: "acme", model: "one" };

/** The request as the adapter is asked to send it. */
export async function sent(
  request: Partial<TurnRequest>,
  adapter: Partial<Adapter> = {},
): Promise<TurnRequest> {
  const asked = Promise.withResolvers<TurnRequest>();
  const open: Adapter["open"] = async (prepared) => {
    asked.resolve(prepared);
    return (async function* () {
      yield [stop("done")];
    })() as EventBatches<TurnEvent>;
  };
  const turn = await readTurn(acme({ ...adapter, open }), {
    messages: [{ role: "user", content: "Go." }],
    ...request,
  });
  expect(turn.stopReason).toBe("stop");
  return asked.promise;
}
