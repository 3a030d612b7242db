// Loaded before a block: what it sends to a provider goes to the server of `PROVIDER_URL` instead.
const provider = process.env["PROVIDER_URL"];
const { fetch } = globalThis;

globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  return fetch(new URL(url.pathname, provider), init);
};
