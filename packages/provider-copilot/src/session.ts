import { redactThrown } from "@fullstop/core/adapter";

/**
 * The result of a token exchange. https://github.com/ericc-ch/copilot-api shows an exchange of a
 * GitHub token for a Copilot token.
 */
export interface CopilotToken {
  readonly token: string;
  /**
   * In milliseconds since 1970. The token is renewed one minute earlier; without this field, before
   * each request.
   */
  readonly expiresAt?: number | undefined;
  /** The base URL for the account's requests: `endpoints.api` of the exchange. */
  readonly baseURL?: string | undefined;
}
/** Gets a Copilot token. */
export type Exchange = () => Promise<CopilotToken>;

const renewBeforeMs = 60_000;

/**
 * Matches text that looks like a token. The exchange sends a GitHub token that only it has, and its
 * errors may repeat that token.
 * https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats
 */
const tokenPattern = /(?<![\w.=+~-])(?=[\w.=+~-]*\d)[\w.=+~-]{12,}|[\w=+~-]{24,}/g;

export function createSession(exchange: Exchange): Exchange {
  let current: Promise<CopilotToken> | undefined;
  let renewAt = Number.POSITIVE_INFINITY;
  const renew = async (): Promise<CopilotToken> => {
    renewAt = Number.POSITIVE_INFINITY;
    try {
      const token = await exchange();
      if (typeof token?.token !== "string" || token.token === "")
        throw new TypeError(
          "`token` gave no Copilot token. It must resolve to `{ token }`, where `token` is the API key for Copilot's servers.",
        );
      renewAt = (token.expiresAt ?? 0) - renewBeforeMs;
      return token;
    } catch (thrown) {
      current = undefined;
      throw redactThrown(thrown, [tokenPattern]);
    }
  };
  return () => {
    if (current === undefined || Date.now() >= renewAt) current = renew();
    return current;
  };
}
