const maxRequests = 1000;
const maxAgeMs = 10 * 60000;
export function createAttempts() {
  const known = new Map();
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
export async function requestKey(url, body) {
  const bytes = new TextEncoder().encode(`${url.href}\n${body}`);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(digest, 0, 16)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
