/** Counts the replies to each request that ended as errors, so that retries of clients end. */
export interface Attempts {
  /** Returns how many attempts failed in a row. Requests beside each other count as one attempt. */
  record(key: string, began: number): number;
  clear(key: string): void;
  isEmpty(): boolean;
}

const maxRequests = 1000;
const maxAgeMs = 10 * 60_000;

export function createAttempts(): Attempts {
  const known = new Map<string, { count: number; at: number }>();
  return {
    record(key, began) {
      const now = performance.now();
      const entry = known.get(key);
      const last = entry !== undefined && now - entry.at < maxAgeMs ? entry : undefined;
      if (last !== undefined && began < last.at) return last.count;
      const count = (last?.count ?? 0) + 1;
      known.delete(key);
      known.set(key, { count, at: now });
      const [oldest] = known.keys();
      if (known.size > maxRequests && oldest !== undefined) known.delete(oldest);
      return count;
    },
    clear: (key) => void known.delete(key),
    isEmpty: () => known.size === 0,
  };
}

/** The headers that tell clients of the same gateway apart. */
const credentials = ["authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie"];

export async function requestKey(url: URL, headers: Headers, body: string): Promise<string> {
  const client = credentials.map((name) => headers.get(name)).join("\n");
  const bytes = new TextEncoder().encode(`${url.href}\n${client}\n${body}`);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(digest, 0, 16)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
