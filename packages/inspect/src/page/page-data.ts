export interface PageData {
  readonly title: string;
  readonly live?: { readonly events: string } | undefined;
}
