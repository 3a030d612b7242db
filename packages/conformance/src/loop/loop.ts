import { isObject, parseJson } from "../harness/bytes.ts";
import { parts } from "../harness/history.ts";
import { type Host, inProcess } from "../harness/host.ts";
import type { Canary, LoopSubject } from "../subject.ts";
import type { ReplyCall } from "../wire.ts";
import { describeCall, type ObservedRun, type Runner } from "./runner.ts";

const canaryCall = (n: number): ReplyCall => ({
  name: "write",
  id: `call_canary_${n}`,
  input: { path: `canary-${n}.txt`, content: `canary-${n}-${"abcdefghij".repeat(3)}` },
});
const canaryResult = (input: unknown): string =>
  `Wrote ${isObject(input) ? String(input["path"]) : "nothing"}.`;

const canaryTool = (execute: Canary["execute"]): Canary => ({
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

const describeThrown = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);

/** A loop in this process. Its requests go to a `fetch` of the suite's own unless a host is given. */
export function createLoopRunner({ loop, timeoutMs = 30_000 }: LoopSubject, given?: Host): Runner {
  const calls = [canaryCall(1), canaryCall(2)] as const;
  return {
    calls,
    results: ({ body }) => {
      const texts = [...parts(parseJson(body))];
      return calls.flatMap((call) =>
        texts.filter((text) => text === canaryResult(call.input)).map(() => describeCall(call)),
      );
    },
    run: async (answer) => {
      const host = given ?? inProcess();
      const ran: string[] = [];
      const requests: ObservedRun["requests"][number][] = [];
      host.answer((request, n) => {
        requests.push(request);
        return answer(request, n);
      });
      const execute = (input: unknown): string => {
        ran.push(describeCall({ name: "write", input: input as object }));
        return canaryResult(input);
      };
      const over = new AbortController();
      const late = Promise.withResolvers<Pick<ObservedRun, "timeout">>();
      const timer = setTimeout(() => {
        late.resolve({ timeout: `did not end within ${timeoutMs} ms` });
        over.abort(new Error("The run took too long."));
      }, timeoutMs);
      const run = async (): Promise<Pick<ObservedRun, "output">> => {
        await loop({
          endpoint: host.endpoint,
          tools: [canaryTool(execute)],
          prompt: "Write the file.",
          signal: over.signal,
        });
        return {};
      };
      const end = await Promise.race([
        run().catch((thrown: unknown) => ({ output: describeThrown(thrown) })),
        late.promise,
      ]);
      clearTimeout(timer);
      return { ran, requests, ...end };
    },
  };
}
