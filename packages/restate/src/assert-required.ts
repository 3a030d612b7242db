export function assertRequired<Options extends object>(
  options: Options,
  names: readonly (keyof Options & string)[],
  of: string,
): void {
  for (const name of names)
    if (options[name] === undefined) throw new TypeError(`\`${name}\` of \`${of}\` is missing.`);
}
