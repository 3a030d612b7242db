import { setTimeout as sleep } from "node:timers/promises";

const betweenLooksMs = 20;

/**
 * Deletes the state of all objects of this service, or of the one with this key, as
 * `restate kv clear` does. Resolves when nothing is left.
 */
export async function clearRestateState(
  adminUrl: string,
  service: string,
  key?: string,
): Promise<void> {
  const only = key === undefined ? "" : ` and service_key = '${key}'`;
  const query = `select distinct service_key from state where service_name = '${service}'${only}`;
  for (;;) {
    const { rows } = (await post(`${adminUrl}/query`, { query })) as StateKeys;
    if (rows.length === 0) return;
    for (const { service_key } of rows)
      await post(`${adminUrl}/services/${service}/state`, {
        object_key: service_key,
        new_state: {},
      });
    await sleep(betweenLooksMs);
  }
}

interface StateKeys {
  readonly rows: readonly { readonly service_key: string }[];
}

async function post(address: string, body: object): Promise<unknown> {
  const headers = { "content-type": "application/json", accept: "application/json" };
  const response = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`Restate refused ${address}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}
