import { isObject, json } from "../harness/bytes.ts";
import { parts } from "../harness/history.ts";
import { type Host, inProcess } from "../harness/host.ts";
import type { Canary, LoopSubject } from "../subject.ts";
import type { ReplyCall } from "../wire.ts";
import { lineOf, type Ran, type Runner } from "./runner.ts";

const callTo = (n: number): ReplyCall => ({
  name: "write",
  id: `call_canary_${n}`,
  input: { path: `canary-${n}.txt`, content: `canary-${n}-${"abcdefghij".repeat(3)}` },
});
const resultOf = (input: unknown): string =>
  `Wrote ${isObject(input) ? String(input["path"]) : "nothing"}.`;

const canary = (execute: Canary["execute"]): Canary => ({
  name: "write",
  description: "Writes a text file.",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" }, content: { type: "string" } },
    required: ["path", "content"],
    additionalProperties: false,
  },
  execute,
});

const said = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);

/** A loop in this process. Its requests go to a `fetch` of the suite's own unless a host is given. */
export function loopRunner({ loop, timeoutMs = 30_000 }: LoopSubject, given?: Host): Runner {
  const calls = [callTo(1), callTo(2)] as const;
  return {
    calls,
    results: ({ body }) => {
      const texts = [...parts(json(body))];
      return calls.flatMap((call) =>
        texts.filter((text) => text === resultOf(call.input)).map(() => lineOf(call)),
      );
    },
    run: async (answer) => {
      const host = given ?? inProcess();
      const ran: string[] = [];
      const requests: Ran["requests"][number][] = [];
      host.answer((request, n) => {
        requests.push(request);
        return answer(request, n);
      });
      const execute = (input: unknown): string => {
        ran.push(lineOf({ name: "write", input: input as object }));
        return resultOf(input);
      };
      const over = new AbortController();
      const late = Promise.withResolvers<Pick<Ran, "unended">>();
      const timer = setTimeout(() => {
        late.resolve({ unended: `did not end within ${timeoutMs} ms` });
        over.abort(new Error("The run took too long."));
      }, timeoutMs);
      const run = async (): Promise<Pick<Ran, "output">> => {
        await loop({
          endpoint: host.endpoint,
          tools: [canary(execute)],
          prompt: "Write the file.",
          signal: over.signal,
        });
        return {};
      };
      const end = await Promise.race([
        run().catch((thrown: unknown) => ({ output: said(thrown) })),
        late.promise,
      ]);
      clearTimeout(timer);
      return { ran, requests, ...end };
    },
  };
}
