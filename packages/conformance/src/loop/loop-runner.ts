import { describeCall } from "../harness/check.ts";
import { type Host, inProcess } from "../harness/host.ts";
import { isObject, nestedValues, tryParseJson } from "../harness/json.ts";
import type { Canary, LoopSubject, ObservedRun, Runner } from "../subject.ts";
import type { ReplyCall } from "../wire.ts";

const canaryCall = (number: number, repeats = 3): ReplyCall => ({
  name: "write",
  id: `call_canary_${number}`,
  input: {
    path: `canary-${number}.txt`,
    content: `canary-${number}-${"abcdefghij".repeat(repeats)}`,
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

interface RunLimits {
  readonly timeoutMs: number;
  readonly enough: AbortSignal | undefined;
}

/** Runs `work` until it ends, the time is over, or enough was seen; then it is not waited for. */
async function withLimits(
  { timeoutMs, enough }: RunLimits,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<Pick<ObservedRun, "timeout" | "output" | "exception">> {
  const controller = new AbortController();
  const stopped = Promise.withResolvers<Pick<ObservedRun, "timeout">>();
  const stop = (end: Pick<ObservedRun, "timeout">, reason: string): void => {
    stopped.resolve(end);
    controller.abort(new Error(reason));
  };
  const timer = setTimeout(
    () => stop({ timeout: `did not end within ${timeoutMs} ms` }, "The run took too long."),
    timeoutMs,
  );
  const onEnough = (): void => stop({}, "The suite has seen enough of this run.");
  enough?.addEventListener("abort", onEnough, { once: true });
  const run = async (): Promise<Pick<ObservedRun, "output" | "exception">> => {
    try {
      await work(controller.signal);
      return {};
    } catch (thrown) {
      return { output: describeThrown(thrown), exception: true };
    }
  };
  const end = await Promise.race([run(), stopped.promise]);
  clearTimeout(timer);
  enough?.removeEventListener("abort", onEnough);
  return end;
}

/** A loop in this process. By default its requests go to a `fetch` of the suite. */
export function createLoopRunner(
  { loop, timeoutMs = 30_000 }: LoopSubject,
  givenHost?: Host,
): Runner {
  const calls = [canaryCall(1), canaryCall(2), canaryCall(3)] as const;
  const longCall = canaryCall(4, 450);
  const wholeCalls = new Set([...calls, longCall].map(describeCall));
  return {
    calls,
    longCall,
    results: ({ body }) => {
      const values = [...nestedValues(tryParseJson(body))];
      return [...calls, longCall].flatMap((call) =>
        values
          .filter((value) => typeof value === "string" && value.includes(canaryResult(call.input)))
          .map(() => describeCall(call)),
      );
    },
    run: async (answer, enough) => {
      const host = givenHost ?? inProcess();
      const effects = { calls: [] as string[], damaged: [] as string[] };
      const requests: ObservedRun["requests"][number][] = [];
      host.answer((request, index) => {
        requests.push(request);
        return answer(request, index);
      });
      const execute = (input: unknown): string => {
        const line = describeCall({ name: "write", input: input as object });
        (wholeCalls.has(line) ? effects.calls : effects.damaged).push(line);
        return canaryResult(input);
      };
      const end = await withLimits({ timeoutMs, enough }, (signal) =>
        loop({
          endpoint: host.endpoint,
          tools: [canaryTool(execute)],
          prompt: "Write the file.",
          signal,
        }),
      );
      return { effects, requests, ...end };
    },
  };
}
