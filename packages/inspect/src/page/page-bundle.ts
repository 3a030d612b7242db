/** The script and the style of the page, and the hashes that its Content-Security-Policy names. */
export interface PageBundle {
  readonly script: string;
  readonly style: string;
  /** `sha256-…`, in base64. */
  readonly scriptHash: string;
  readonly styleHash: string;
}
