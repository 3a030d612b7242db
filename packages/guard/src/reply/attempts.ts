/** Counts the replies to each request that ended as errors, so that retries of clients end. */
export interface Attempts {
  /** Records an error. Returns how many there were for this request. */
  record(key: string): number;
  /** Forgets a request whose reply was good. */
  clear(key: string): void;
}

const maxRequests = 1000;
const maxAgeMs = 10 * 60_000;

export function createAttempts(): Attempts {
  const known = new Map<string, { count: number; at: number }>();
  return {
    record(key) {
      const now = Date.now();
      const entry = known.get(key);
      const count = entry !== undefined && now - entry.at < maxAgeMs ? entry.count + 1 : 1;
      known.delete(key);
      known.set(key, { count, at: now });
      const [oldest] = known.keys();
      if (known.size > maxRequests && oldest !== undefined) known.delete(oldest);
      return count;
    },
    clear: (key) => void known.delete(key),
  };
}

/** A short key for a request. */
export async function requestKey(url: URL, body: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${url.href}\n${body}`);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(digest, 0, 16)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
