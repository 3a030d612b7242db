/**
 * Refuses parameters that contain the output cap: the gate must know the cap that is sent.
 * @param names the names of the cap in the protocol.
 * @throws TypeError that says where to set the cap.
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
