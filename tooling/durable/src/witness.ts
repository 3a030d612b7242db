import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { appendLine, type LogLine } from "./log.ts";

/** A request of a worker for an effect. */
export interface EffectRequest {
  readonly run: string;
  readonly worker: string;
  readonly item: string;
  /** How long the effect takes. */
  readonly ms: number;
}
/** What the witness knows about a call. */
export interface KnownEffect {
  readonly receipt?: string;
}

/** The world outside of the workers: it makes the effects and remembers them. */
export interface Witness {
  /**
   * Opens an address for one worker. `close` resolves when each request that the worker sent is
   * either remembered or lost for good.
   */
  openDoor(): Promise<Door>;
  /** Called when a worker asks for something to be done to its connections or its journal. */
  onCut: (how: string, run: string) => void | Promise<void>;
  close(): void;
}
export interface Door {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the witness, which writes its part of the log. */
export function startWitness(log: string): Witness {
  const receipts = new Map<string, string>();
  const servers = new Set<Server>();
  let count = 0;
  const makeEffect = async ({ run, worker, item, ms }: EffectRequest): Promise<KnownEffect> => {
    const receipt = `receipt ${++count}`;
    receipts.set(`${run} ${item}`, receipt);
    const write = (event: "effect-began" | "effect-ended"): void =>
      appendLine(log, { run, worker, event, item, receipt } satisfies LogLine);
    write("effect-began");
    await sleep(ms);
    write("effect-ended");
    return { receipt };
  };
  const witness: Witness = {
    openDoor: async () => {
      const server = createServer((request, response) => {
        answer(request, response).catch(() => response.destroy());
      });
      server.keepAliveTimeout = 60_000;
      servers.add(server.listen(0, "127.0.0.1"));
      await once(server, "listening");
      return {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        close: async () => {
          servers.delete(server);
          await new Promise((resolve) => server.close(resolve));
        },
      };
    },
    onCut: () => {},
    close: () => {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = JSON.parse(await readText(request)) as Asked;
    const reply = (body: object): void => void response.end(JSON.stringify(body));
    if ("cut" in asked) {
      await witness.onCut(asked.cut, asked.run);
      reply({});
    } else if ("known" in asked) {
      const receipt = receipts.get(asked.known);
      reply({ ...(receipt !== undefined && { receipt }) } satisfies KnownEffect);
    } else reply(await makeEffect(asked));
  };
  return witness;
}
type Asked =
  | EffectRequest
  | { readonly known: string }
  | { readonly cut: string; readonly run: string };

async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
