import { expect } from "vitest";
import { asks, type Case, list, read, runs, write } from "./cases.ts";

const results = (ran: Awaited<ReturnType<typeof runs>>): readonly string[] =>
  ran.outcome.messages.flatMap((message) =>
    message.role === "tool" ? message.content.map(({ content }) => String(content)) : [],
  );

/** The cases that are about a run. */
export const runningCases: Readonly<Record<string, Case>> = {
  "6. no arguments at all, of a tool that needs some and of one that needs none": async (
    speaker,
  ) => {
    expect((await runs(speaker, [asks(speaker, list)])).ran).toEqual(["list"]);
    const { ran, outcome } = await runs(speaker, [asks(speaker, { ...read, input: {} })]);
    expect([ran, outcome.status]).toEqual([[], "done"]);
    return undefined;
  },
  "18. an abort between the starts of two tools": async (speaker) => {
    const controller = new AbortController();
    const onEvent = ({ type }: { readonly type: string }): void =>
      void (type === "tool-result" && controller.abort());
    const played = await runs(speaker, [asks(speaker, read, write)], {
      signal: controller.signal,
      onEvent,
      concurrency: 1,
    });
    expect([played.ran, played.outcome.status]).toEqual([["read"], "aborted"]);
    expect(results(played)).toEqual([
      "ok",
      "write was not run: the run was aborted before it started.",
    ]);
    return undefined;
  },
  "19. an abort after the end of the reply, before its calls start": async (speaker) => {
    const controller = new AbortController();
    const onEvent = ({ type }: { readonly type: string }): void =>
      void (type === "turn" && controller.abort());
    const played = await runs(speaker, [asks(speaker, read, write)], {
      signal: controller.signal,
      onEvent,
    });
    expect([played.ran, played.outcome.status, results(played).length]).toEqual([[], "aborted", 2]);
    return undefined;
  },
  "24. a run that is stuck, or reaches a limit: each call has one result": async (speaker) => {
    const again = Array.from({ length: 9 }, (_, n) => asks(speaker, { ...read, id: `call_${n}` }));
    expect((await runs(speaker, again)).outcome.status).toBe("stuck");
    const two = [asks(speaker, read, write)];
    for (const [limits, price] of [
      [{ turns: 1 }],
      [{ toolCalls: 1 }],
      [{ outputTokens: 5 }],
      [{ cost: 1 }, () => 2],
    ] as const) {
      const { outcome, ran } = await runs(speaker, two, { limits, price });
      expect([outcome.status, ran]).toEqual(["limit", []]);
    }
    const hangs = ({ signal }: { readonly signal: AbortSignal }): Promise<string> =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve("late")));
    const late = await runs(speaker, two, { limits: { deadlineMs: 50 }, act: hangs });
    expect(late.outcome).toMatchObject({ status: "limit", limit: "deadlineMs" });
    return undefined;
  },
  "25. equal calls in one turn are no loop": async (speaker) => {
    const equal = (turn: number, count: number) =>
      asks(
        speaker,
        ...Array.from({ length: count }, (_, n) => ({ ...read, id: `call_${turn}_${n}` })),
      );
    const { outcome, ran } = await runs(speaker, [equal(1, 3), equal(2, 2)]);
    expect([outcome.status, ran.length]).toEqual(["done", 5]);
    return undefined;
  },
  "26. polling is no loop while its results change, and is one where they do not": async (
    speaker,
  ) => {
    const polls = Array.from({ length: 7 }, (_, n) => asks(speaker, { ...read, id: `call_${n}` }));
    const changing = await runs(speaker, polls, { act: ({ times }) => `state ${times}` });
    expect([changing.outcome.status, changing.ran.length]).toEqual(["done", 7]);
    const same = await runs(speaker, polls);
    expect([same.outcome.status, same.ran.length]).toEqual(["stuck", 3]);
    return undefined;
  },
};
