import {
  anyObject,
  anyText,
  checkGiven,
  checkOptions,
  type OptionKinds,
} from "@fullstop/core/adapter";
import { pageBundle } from "#page";
import type { PageData } from "./page-data.ts";

/** Options of `toPage`. */
export interface PageOptions {
  /** The title of the document. Default: `Recording`. */
  readonly title?: string | undefined;
  /**
   * The page adds the lines that it gets from `events`: the address of a stream of Server-Sent
   * Events on the same server. Each message is one line of the recording, and its id is the number
   * of the line. The event `reset` starts anew. Default: the page connects to nothing.
   */
  readonly live?: { readonly events: string } | undefined;
}

const pageKinds: OptionKinds<Required<PageOptions>> = { title: anyText, live: anyObject };

/**
 * Makes one HTML file that shows a recording (the text of the file, JSON Lines). It needs no server
 * and loads nothing: its Content-Security-Policy permits its own script and style only, and with
 * `live` the server that it comes from.
 * @throws TypeError for an option that cannot work.
 */
export function toPage(recording: string, options: PageOptions = {}): string {
  checkGiven(recording, "toPage", "the text of a recording", "string");
  checkOptions(options, pageKinds, { of: "toPage" });
  const { title, live } = options;
  const data: PageData = { title: title ?? "Recording", ...(live && { live }) };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(live !== undefined)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapeText(data.title)} · Fullstop</title>
<link rel="icon" href="data:,">
<style>${pageBundle.style}</style>
</head>
<body>
<div id="page"><noscript>This page shows a recording with a script. Allow scripts for this file.</noscript></div>
<script type="application/json" id="options">${escapeData(JSON.stringify(data))}</script>
<script type="application/json" id="recording">${escapeData(recording)}</script>
<script>${pageBundle.script}</script>
</body>
</html>
`;
}

const policyFor = (isLive: boolean): string =>
  [
    "default-src 'none'",
    `script-src '${pageBundle.scriptHash}'`,
    `style-src '${pageBundle.styleHash}'`,
    "img-src data:",
    ...(isLive ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").toWellFormed();

/** In a JSON string the escapes mean the same. Half a surrogate pair would be lost in the file. */
const escapeData = (json: string): string =>
  json.replace(
    /[<\u2028\u2029]|\p{Cs}/gu,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
