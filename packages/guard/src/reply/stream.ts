import type { Gate } from "@fullstop/core";
import type { GuardOptions } from "../options.ts";
import type { Protocol, ReplyFrame } from "../protocols/protocol.ts";
import { createHolder, type Holder } from "./holder.ts";
import type { Outcome, SeenReply } from "./verdict.ts";
import { settle, waitFor } from "./wait.ts";

/** What the stream knows when the reply has ended. */
export type EndedReply = Pick<
  SeenReply,
  "turn" | "hasCalls" | "isUnderstood" | "isBroken" | "text" | "says"
> & {
  /** A part of the reply went out. */
  readonly wasSent: boolean;
  readonly heldMs: number;
  readonly heldChars: number;
};

/** A reply that is read, and how. */
export interface StreamContext {
  readonly gate: Gate;
  readonly protocol: Protocol;
  readonly options: Pick<GuardOptions, "maxHeld">;
  /** Milliseconds of silence after which the client gets a sign of life. */
  readonly keepAliveMs: number | undefined;
  readonly frames: AsyncIterator<readonly ReplyFrame[]>;
  readonly decide: (reply: EndedReply) => Promise<Outcome>;
}

/** What goes to the client next: a text, the outcome, or the end of the connection. */
export type Output =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "outcome"; readonly outcome: Outcome }
  | { readonly type: "break" };

const defaultKeepAliveMs = 15_000;
const defaultMaxHeld = 64 * 1024 * 1024;

/**
 * Gives the texts that go to the client. Text before the first call goes out at once. From the
 * first part of a call on, everything waits for the verdict, in its order.
 */
export async function* guardStream(context: StreamContext): AsyncGenerator<Output, void> {
  const { gate, protocol, options, frames, keepAliveMs = defaultKeepAliveMs } = context;
  const editor = protocol.createEditor();
  const holder = createHolder(protocol, editor, options.maxHeld ?? defaultMaxHeld);
  let wasSent = false;
  let isBroken = false;
  let due = performance.now() + keepAliveMs;
  const send = (text: string): Output => {
    wasSent = true;
    due = performance.now() + keepAliveMs;
    return { type: "text", text };
  };
  try {
    for (let isOpen = true; isOpen; ) {
      const step = settle(frames.next());
      while (!(await waitFor(step, due))) yield send(protocol.keepAlive);
      const { value: batch, failure } = await step;
      const text = holder.take(batch ?? [], gate);
      if (text !== "") yield send(text);
      else if (performance.now() > due) yield send(protocol.keepAlive);
      isBroken = failure !== undefined;
      if (failure !== undefined) gate.fail(failure.thrown);
      if (holder.facts.overflow !== undefined) gate.fail(holder.facts.overflow);
      isOpen = batch !== undefined && !isDecided(gate, holder);
    }
    yield* conclude(context, { holder, wasSent, isBroken, fail: editor.fail });
  } finally {
    await frames.return?.();
  }
}

/** Whether what still comes cannot change the verdict. */
const isDecided = (gate: Gate, { facts }: Holder): boolean =>
  gate.state === "ended" ||
  facts.overflow !== undefined ||
  (gate.state === "void" && facts.hasCalls);

interface Ended {
  readonly holder: Holder;
  readonly wasSent: boolean;
  readonly isBroken: boolean;
  readonly fail: ReturnType<Protocol["createEditor"]>["fail"];
}

async function* conclude(
  { gate, protocol, frames, decide }: StreamContext,
  { holder, wasSent, isBroken, fail }: Ended,
): AsyncGenerator<Output, void> {
  const { facts } = holder;
  const isEnded = gate.state === "ended";
  const isUnderstood = gate.begun || facts.isOpened;
  const turn = gate.end();
  const { hasCalls } = facts;
  const outcome = await decide({
    turn,
    hasCalls,
    isUnderstood,
    isBroken,
    wasSent,
    says: holder.says,
    text: holder.text,
    heldMs: facts.heldSince === undefined ? 0 : performance.now() - facts.heldSince,
    heldChars: facts.heldChars,
  });
  yield { type: "outcome", outcome };
  if (outcome.action === "retried") return;
  if (outcome.action === "failed") {
    if (wasSent) yield { type: "text", text: fail(outcome.failure) };
    if (protocol.afterError === "break") yield { type: "break" };
    return;
  }
  const text = outcome.action === "passed" ? holder.release() : holder.edit(outcome.edit);
  if (text !== "") yield { type: "text", text };
  if (isEnded) yield* relayRest(frames, holder);
  else if (isBroken) yield { type: "break" };
}

/** What comes after the protocol's own end goes out too, but no call. A failure changes nothing. */
async function* relayRest(
  frames: StreamContext["frames"],
  { afterVerdict }: Holder,
): AsyncGenerator<Output, void> {
  for (;;) {
    const { value: batch } = await settle(frames.next());
    if (batch === undefined) return;
    const text = afterVerdict(batch);
    if (text !== "") yield { type: "text", text };
  }
}
