import { createHolder } from "./holder.ts";
import { settle, waitFor } from "./wait.ts";

const defaultKeepAliveMs = 15000;
const defaultMaxHeld = 64 * 1024 * 1024;
/**
 * Gives the texts that go to the client. Text before the first call goes out at once. From the
 * first part of a call on, everything waits for the verdict, in its order.
 */
export async function* guardStream(context) {
  const { gate, protocol, options, frames, keepAliveMs = defaultKeepAliveMs } = context;
  const editor = protocol.createEditor();
  const holder = createHolder(protocol, editor, options.maxHeld ?? defaultMaxHeld);
  let wasSent = false;
  let isBroken = false;
  let due = performance.now() + keepAliveMs;
  const send = (text) => {
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
const isDecided = (gate, { facts }) =>
  gate.state === "ended" ||
  facts.overflow !== undefined ||
  (gate.state === "void" && facts.hasCalls);
async function* conclude({ gate, protocol, frames, decide }, { holder, wasSent, isBroken, fail }) {
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
async function* relayRest(frames, { afterVerdict }) {
  for (;;) {
    const { value: batch } = await settle(frames.next());
    if (batch === undefined) return;
    const text = afterVerdict(batch);
    if (text !== "") yield { type: "text", text };
  }
}
