import type { Preview } from "@fullstop/core";
import { type InputKey, outputToolName, readPartialInput } from "@fullstop/core/adapter";
import type { EventBody } from "../contract/event.ts";
import type { OutputMode } from "./output-request.ts";

/** Receives the previews of one reply, and reports the object as far as it has arrived. */
export interface OutputPreview {
  readonly onPreview: (event: Preview) => void;
  /** The reply has ended: reports the rest. */
  readonly end: () => void;
}

const firstLength = 16;
/** Each parse reads all of the text, so the whole costs at most five times its length. */
const growth = 1.25;

/** If the request has no mode, it asks for no object, so nothing is reported. */
export function createOutputPreview(
  mode: OutputMode | undefined,
  emit: (event: EventBody) => void,
): OutputPreview {
  if (mode === undefined) return { onPreview: emit, end: () => undefined };
  const readObjectText = mode === "format" ? readText : createInputReader();
  let text = "";
  let reported = 0;
  const report = (): void => {
    reported = text.length;
    const partial = readPartialInput(text);
    if (partial !== undefined) emit({ type: "output", partial });
  };
  return {
    onPreview: (event) => {
      emit(event);
      text += readObjectText(event);
      if (text.length >= Math.max(firstLength, reported * growth) && text.length > reported)
        report();
    },
    end: () => {
      if (text.length > reported) report();
    },
  };
}

const readText = (event: Preview): string => (event.type === "text" ? event.text : "");

/** Reads the input of the first call of the output tool. It may also come whole, with its end. */
function createInputReader(): (event: Preview) => string {
  let key: InputKey | undefined;
  let hasDeltas = false;
  return (event) => {
    if (event.type === "tool-input-start" && event.name === outputToolName) key ??= event.key;
    if (!("key" in event) || event.key !== key || event.type === "tool-input-start") return "";
    const { type, text = "" } = event;
    if (type === "tool-input-end" && hasDeltas) return "";
    hasDeltas = true;
    return text;
  };
}
