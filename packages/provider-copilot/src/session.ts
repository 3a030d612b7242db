import { redactThrown } from "@fullstop/core/adapter";

/** What the token exchange gives. https://github.com/ericc-ch/copilot-api shows one: GitHub's token against one of Copilot. */
export interface CopilotToken {
  readonly token: string;
  /** Milliseconds since 1970; it is asked for anew a minute before. Without it, for each request. */
  readonly expiresAt?: number | undefined;
  /** Where the account's requests go: `endpoints.api` of the exchange. */
  readonly baseURL?: string | undefined;
}
/** Gives a token of Copilot's for yours. */
export type Exchange = () => Promise<CopilotToken>;

const early = 60_000;

/**
 * What looks like a token: the exchange sends one of GitHub's that only it knows, and what it throws may repeat it.
 * https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats
 */
const tokens = /(?<![\w.=+~-])(?=[\w.=+~-]*\d)[\w.=+~-]{12,}|[\w=+~-]{24,}/g;

/** One exchange at a time; a failed one is tried again by the next request. */
export function createSession(exchange: Exchange): Exchange {
  let current: Promise<CopilotToken> | undefined;
  let until = Number.POSITIVE_INFINITY;
  const renew = async (): Promise<CopilotToken> => {
    until = Number.POSITIVE_INFINITY;
    try {
      const token = await exchange();
      if (typeof token?.token !== "string" || token.token === "")
        throw new TypeError(
          "`token` gave no Copilot token. It must resolve to `{ token }`, which holds the API key for Copilot's servers.",
        );
      until = (token.expiresAt ?? 0) - early;
      return token;
    } catch (thrown) {
      current = undefined;
      throw redactThrown(thrown, [tokens]);
    }
  };
  return () => {
    if (current === undefined || Date.now() >= until) current = renew();
    return current;
  };
}
