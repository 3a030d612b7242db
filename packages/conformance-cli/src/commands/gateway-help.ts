/** The help of `fullstop conformance gateway` below its options. */
export const gatewayHelp = `
The gateway:
  It stands between a client and a provider. This command is both: it plays the provider behind it,
  and sends the requests in front of it. Each pair of --front and --behind is judged: the gateway
  may translate, so the two may differ. The replies are those of the suite: texts, calls and stop
  reasons as the vendor documents them, the same as other hosts write them, replies whose connection
  ends or breaks too early, errors inside a reply, and error statuses. No provider is contacted.

  What came out in front is read by the gate, and compared with what the provider sent:
  relabel    a stop reason says finished although the reply was cut, filtered or refused, or the reverse
  loss       a call, a text, an error or a detail did not arrive
  merge      two calls became one, or two stop reasons
  break      an input changed, a reply cannot be read, a cut reply looks finished, no end comes
  upstream   the cap, a tool, a message or a result did not arrive at the provider
  variant    replies in the words of other hosts
  exact      a note: how many replies left byte for byte

  What the protocol in front cannot say is not asked. A gateway that withholds unfinished calls
  (a guard) keeps every clause.

Protocols: anthropic, openai-chat (chat), openai-responses (responses), gemini,
  gemini-interactions (interactions). Replies are read with the @fullstop/provider package of the
  protocol that is installed where the command runs.

Starting it:
  Words after -- start the gateway; it ends with this command, with everything that it started.
  {upstream} is the address of the provider that the suite plays, such as http://127.0.0.1:41234,
  and {port} a free port for the gateway. Both are replaced in the words after --, in --front and in
  --header, and are in CONFORMANCE_UPSTREAM and CONFORMANCE_PORT, for configuration files.
  A gateway that already runs must send its requests to the port of --upstream-port.
  Switch its retries, caches and cooldowns off: they answer a reply that was not played for them.

Examples:
  fullstop conformance gateway --front chat=http://127.0.0.1:4000/v1 --upstream-port 4999
  fullstop conformance gateway --front anthropic=http://127.0.0.1:{port} -- my-gateway --port {port} --to {upstream}
  fullstop conformance gateway --front chat=http://127.0.0.1:{port}/v1 --behind anthropic=to-anthropic \\
    --behind gemini=to-gemini -- litellm --port {port} --config config.yaml
  fullstop conformance gateway --front chat=http://127.0.0.1:8787/v1 --behind anthropic --upstream-port 4999 \\
    --header "x-portkey-provider: anthropic" --header "x-portkey-custom-host: {upstream}/v1"
`;
