import type { Adapter, CallIdRule } from "../contract/adapter.ts";
import type { ToolCallBlock } from "../contract/message.ts";

export interface WireIds {
  assign(block: ToolCallBlock, local: boolean): string;
  lookup(id: string): string;
}

/** The provider gets its own ids back, others are fitted to its rule, and no two are the same. */
export function createWireIds({ callIds }: Pick<Adapter, "callIds">): WireIds {
  const current = new Map<string, string>();
  const used = new Set<string>();
  return {
    assign(block, local) {
      const native =
        local && block.nativeId !== undefined && !used.has(block.nativeId)
          ? block.nativeId
          : undefined;
      let id = native ?? fit(block.id, callIds, "");
      for (let again = 1; used.has(id); again++) id = fit(block.id, callIds, `#${again}`);
      used.add(id);
      current.set(block.id, id);
      return id;
    },
    lookup: (id) => current.get(id) ?? fit(id, callIds, ""),
  };
}

/** A shortened id gets a suffix made from the whole id: two different ids stay different. */
function fit(id: string, rule: CallIdRule | undefined, salt: string): string {
  const { maxLength = Number.POSITIVE_INFINITY, allowed = /^/ } = rule ?? {};
  const fits = (text: string): boolean => text.length <= maxLength && text.search(allowed) >= 0;
  if (salt === "" && fits(id)) return id;
  const digest = hash(id + salt);
  const suffix = digest.slice(0, Math.min(8, maxLength));
  const clean = [...id].filter((char) => fits(char) || /[a-zA-Z0-9]/.test(char)).join("");
  const fitted = `${clean.slice(0, maxLength - suffix.length)}${suffix}`;
  return fits(fitted) ? fitted : `${digest}${hash(digest)}`.slice(0, maxLength);
}

/** 53 bits in base 36 (cyrb53, public domain). Distinguishes ids; it is not for security. */
function hash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36).padStart(11, "0");
}
