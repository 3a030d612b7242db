type Environment = Readonly<Record<string, string | undefined>>;

/** The environment variables; none in a browser. */
export const environment = (): Environment =>
  (globalThis as { readonly process?: { readonly env?: Environment } }).process?.env ?? {};
