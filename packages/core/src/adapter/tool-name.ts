/** What a provider accepts as a tool name. */
export interface ToolNameRule {
  /** Matches each character that is refused; needs the flag `g`. */
  readonly refused: RegExp;
  readonly maxLength: number;
}

/**
 * A tool name that a provider accepts. History may hold names of tools that were offered to another
 * provider, with characters that this one refuses.
 */
export const safeToolName = (name: string, { refused, maxLength }: ToolNameRule): string =>
  name.replaceAll(refused, "_").slice(0, maxLength);
