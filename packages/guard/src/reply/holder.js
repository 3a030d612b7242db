import { ProviderError } from "@fullstop/core";
export function createHolder(protocol, editor, maxHeld) {
  const facts = {
    hasCalls: false,
    isOpened: false,
    isWhole: false,
    heldChars: 0,
    heldSince: undefined,
    overflow: undefined,
  };
  let held = [];
  let wasLive = false;
  const heldText = () => held.map(({ raw }) => raw).join("");
  const release = () => {
    const text = heldText();
    held = [];
    return text;
  };
  const hold = (frame) => {
    held.push(frame);
    facts.heldChars += frame.raw.length;
    if (facts.heldChars > maxHeld) facts.overflow ??= heldTooMuch(maxHeld);
  };
  const takeEvent = (frame) => {
    const kind = editor.classify(frame.native);
    facts.isOpened ||= kind === "opening";
    if (kind === "call") {
      facts.hasCalls = true;
      facts.heldSince ??= performance.now();
    }
    if (kind !== "live" || facts.hasCalls) {
      hold(frame);
      return "";
    }
    wasLive = true;
    return held.length === 0 ? frame.raw : release() + frame.raw;
  };
  const takeWhole = (frame) => {
    facts.isWhole = true;
    facts.hasCalls ||= protocol.body.hasCalls(frame.native);
    hold(frame);
  };
  return {
    facts,
    release,
    text: heldText,
    take(batch, gate) {
      let text = "";
      for (const frame of batch) {
        const { native, raw, isWhole } = frame;
        for (const event of isWhole && Array.isArray(native) ? native : [native])
          if (event !== undefined) gate.push(event);
        if (isWhole) takeWhole(frame);
        else if (native !== undefined) text += takeEvent(frame);
        else if (wasLive && held.length === 0) text += raw;
        else hold(frame);
      }
      return text;
    },
    edit: (edit) => (facts.isWhole ? editBody(protocol.body, held, edit) : editor.edit(held, edit)),
    says: (calls, isStrict) =>
      facts.isWhole
        ? held.every(
            ({ native }) => native === undefined || protocol.body.says(native, calls, isStrict),
          )
        : editor.says(held, calls, isStrict),
    afterVerdict: (batch) =>
      batch
        .filter(({ native }) => native === undefined || editor.classify(native) !== "call")
        .map(({ raw }) => raw)
        .join(""),
  };
}
const editBody = (body, held, edit) =>
  held
    .map(({ native, raw }) =>
      native === undefined ? raw : JSON.stringify(body.edit(native, edit)),
    )
    .join("");
const heldTooMuch = (limit) =>
  new ProviderError(
    `The guard holds at most ${limit} characters of a reply, and this reply has more. Raise \`maxHeld\`, or ask for a smaller reply.`,
    { kind: "too-large" },
  );
