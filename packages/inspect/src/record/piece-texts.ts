import type { Preview } from "@fullstop/core";
import type { Slot } from "./text-stream.ts";

/** A preview of which the text may still change. */
export type WritablePreview = { -readonly [Key in keyof Preview]: Preview[Key] } & {
  text?: string | undefined;
  readonly key?: string | number;
};
/** Called for each text of a piece. Texts of one name continue each other. */
export type Watch = (name: string, slot: Slot) => void;

/** A slot of a member. */
const memberSlot = (holder: object, name: string | number): Slot => {
  const members = holder as Record<string | number, unknown>;
  return {
    get: () => String(members[name]),
    set: (text) => {
      members[name] = text;
    },
  };
};

const continued: ReadonlySet<Preview["type"]> = new Set(["text", "thinking", "tool-input-delta"]);
/** Whether a preview only continues the text of the one before it. */
export const isContinued = (previous: WritablePreview, next: WritablePreview): boolean =>
  continued.has(next.type) && previous.type === next.type && previous.key === next.key;

/** Watches the texts of previews. The text of an end is whole: it replaces the pieces before it. */
export function watchPreviews(previews: readonly WritablePreview[], watch: Watch): void {
  for (const [index, preview] of previews.entries()) {
    const { type, key, text } = preview;
    if (text === undefined) continue;
    const name = type === "tool-input-end" ? `end ${key} ${index}` : `${type} ${key}`;
    watch(name, memberSlot(preview, "text"));
  }
}

/** These do not continue what the event before has under the same name. */
const wholeTexts: ReadonlySet<string> = new Set(["type", "id", "object", "model", "role"]);
/** What tells the parts of a reply apart that arrive side by side. */
const indices: readonly string[] = ["index", "output_index", "content_index", "item_id"];

/** Watches all texts of native events. Texts in the same place of two events continue each other. */
export function watchNatives(natives: readonly unknown[], watch: Watch): void {
  for (const [index, native] of natives.entries())
    if (typeof native === "string") watch("native", memberSlot(natives, index));
    else if (typeof native === "object" && native !== null) watchTexts(native, "native", watch);
}

function watchTexts(holder: object, path: string, watch: Watch): void {
  const place = indices.reduce((known, name) => {
    const index = (holder as Readonly<Record<string, unknown>>)[name];
    return index === undefined || Array.isArray(holder) ? known : `${known}#${String(index)}`;
  }, path);
  for (const [name, value] of Object.entries(holder)) {
    if (typeof value === "object" && value !== null) watchTexts(value, `${place}.${name}`, watch);
    else if (typeof value === "string" && !wholeTexts.has(name))
      watch(`${place}.${name}`, memberSlot(holder, name));
  }
}
