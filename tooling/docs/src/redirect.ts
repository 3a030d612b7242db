// Loaded before a block: sends its requests to the server of `PROVIDER_URL`.
const provider = process.env["PROVIDER_URL"];
const { fetch } = globalThis;

globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  return fetch(new URL(url.pathname, provider), init);
};
