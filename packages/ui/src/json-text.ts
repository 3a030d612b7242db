/** For a part that JSON cannot hold (a cycle, a bigint), `without` is sent. */
export function jsonText(value: object, without: (why: string) => object): string {
  try {
    return JSON.stringify(value);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return JSON.stringify(without(`This part cannot be sent as JSON: ${why}`));
  }
}
