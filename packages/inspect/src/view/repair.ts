import { jsonrepair } from "jsonrepair";
import type { RepairView } from "./view.ts";

/** A repair of a longer text takes longer than a page may wait. */
const maxLength = 1024 * 1024;

/** What `jsonrepair`, a library that agents use, makes of a text. */
export function repair(text: string): RepairView | undefined {
  if (text.length > maxLength) return undefined;
  try {
    return { text: jsonrepair(text) };
  } catch {
    return {};
  }
}
