/**
 * Refuses parameters that hold the output cap: the cap that is sent must be the cap that the gate knows.
 * @param names the protocol's own names of the cap.
 * @throws TypeError that says where the cap belongs.
 */
export function refuseCap(params: object | undefined, names: readonly string[]): void {
  const found = Object.entries(params ?? {}).find(
    ([name, value]) => names.includes(name) && value !== undefined,
  );
  if (found === undefined) return;
  const [name, value] = found;
  throw new TypeError(
    `\`params.${name}\` sets the output cap, which the gate must know. Set it as \`maxTokens: { default: ${String(value)} }\` of the adapter, or as \`maxTokens\` of the request.`,
  );
}
