import { describeCall } from "../harness/expect.ts";
import { type Host, inProcess } from "../harness/host.ts";
import { isObject, nestedValues, tryParseJson } from "../harness/json.ts";
import type { Canary, LoopSubject } from "../subject.ts";
import type { ReplyCall } from "../wire.ts";
import type { ObservedRun, Runner } from "./runner.ts";

const canaryCall = (number: number): ReplyCall => ({
  name: "write",
  id: `call_canary_${number}`,
  input: {
    path: `canary-${number}.txt`,
    content: `canary-${number}-${"abcdefghij".repeat(3)}`,
  },
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

/** Runs `work` until it ends or the time is over. Then the signal aborts, and `work` is not waited for. */
async function withTimeLimit(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<Pick<ObservedRun, "timeout" | "output">> {
  const controller = new AbortController();
  const late = Promise.withResolvers<Pick<ObservedRun, "timeout">>();
  const timer = setTimeout(() => {
    late.resolve({ timeout: `did not end within ${timeoutMs} ms` });
    controller.abort(new Error("The run took too long."));
  }, timeoutMs);
  const run = async (): Promise<Pick<ObservedRun, "output">> => {
    try {
      await work(controller.signal);
      return {};
    } catch (thrown) {
      return { output: describeThrown(thrown) };
    }
  };
  const end = await Promise.race([run(), late.promise]);
  clearTimeout(timer);
  return end;
}

/** A loop in this process. By default its requests go to a `fetch` of the suite. */
export function createLoopRunner(
  { loop, timeoutMs = 30_000 }: LoopSubject,
  givenHost?: Host,
): Runner {
  const calls = [canaryCall(1), canaryCall(2)] as const;
  return {
    calls,
    results: ({ body }) => {
      const values = [...nestedValues(tryParseJson(body))];
      return calls.flatMap((call) =>
        values.filter((value) => value === canaryResult(call.input)).map(() => describeCall(call)),
      );
    },
    run: async (answer) => {
      const host = givenHost ?? inProcess();
      const ran: string[] = [];
      const requests: ObservedRun["requests"][number][] = [];
      host.answer((request, index) => {
        requests.push(request);
        return answer(request, index);
      });
      const execute = (input: unknown): string => {
        ran.push(describeCall({ name: "write", input: input as object }));
        return canaryResult(input);
      };
      const end = await withTimeLimit(timeoutMs, (signal) =>
        loop({
          endpoint: host.endpoint,
          tools: [canaryTool(execute)],
          prompt: "Write the file.",
          signal,
        }),
      );
      return { ran, requests, ...end };
    },
  };
}
