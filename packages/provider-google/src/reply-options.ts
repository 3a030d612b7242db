import type { StopTable } from "@fullstop/core/adapter";

/** How a host differs from Google's API in its replies, over any of Google's protocols. */
export interface HostReplyOptions {
  /** The host's own native stop reasons, added to the vendor's. */
  readonly stops?: StopTable | undefined;
  /**
   * `true` if the host reports replies as finished although the output cap cut them.
   * A call then runs only if the usage is below the cap.
   */
  readonly mislabelsTruncation?: boolean | undefined;
}
