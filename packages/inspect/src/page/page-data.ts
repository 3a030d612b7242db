/** What the page finds in its `<script type="application/json" id="options">`. */
export interface PageData {
  readonly title: string;
  /** Where new lines of the recording come from. */
  readonly live?: { readonly events: string } | undefined;
}
