import type { AdapterSpec, OutputFormat } from "../contract/adapter.ts";

/**
 * What a caller knows about a host: when it takes the protocol's format for `request.output`.
 * `"never"`: the object is requested as the input of a tool.
 */
export type OutputFormatOption = OutputFormat | "never";

/** The adapter's `outputFormat`: the caller's option counts before what is known of the host. */
export function formatOption(
  option: OutputFormatOption | undefined,
  known: OutputFormat | undefined,
): Pick<AdapterSpec<unknown>, "outputFormat"> {
  const outputFormat = option ?? known;
  return outputFormat === undefined || outputFormat === "never" ? {} : { outputFormat };
}
