import type { Clause } from "../clause.ts";
import { closed } from "./call/closed.ts";
import { cutInput } from "./call/cut-input.ts";
import { idsUnique } from "./call/ids-unique.ts";
import { inputExact } from "./call/input-exact.ts";
import { invalidJson } from "./call/invalid-json.ts";
import { leakedMarkup } from "./call/leaked-markup.ts";
import { lossyInput } from "./call/lossy-input.ts";
import { named } from "./call/named.ts";
import { noneLost } from "./call/none-lost.ts";
import { notObject } from "./call/not-object.ts";
import { required } from "./call/required.ts";
import { saidTwice } from "./call/said-twice.ts";
import { siblings } from "./call/siblings.ts";
import { inBand } from "./error/in-band.ts";
import { retryAfter } from "./error/retry-after.ts";
import { status } from "./error/status.ts";
import { unreachable } from "./error/unreachable.ts";
import { capSent } from "./request/cap.ts";
import { characters } from "./request/characters.ts";
import { foreign } from "./request/foreign.ts";
import { replay } from "./request/replay.ts";
import { results } from "./request/results.ts";
import { valid } from "./request/valid.ts";
import { withheldStaysOut } from "./request/withheld.ts";
import { abort } from "./stop/abort.ts";
import { capReached } from "./stop/cap.ts";
import { capUnproven } from "./stop/cap-unproven.ts";
import { contentAfter } from "./stop/content-after.ts";
import { cut } from "./stop/cut.ts";
import { laterPrefix } from "./stop/later-prefix.ts";
import { noCall } from "./stop/no-call.ts";
import { noWord } from "./stop/no-word.ts";
import { openStream } from "./stop/open-stream.ts";
import { unknownWord } from "./stop/unknown-word.ts";
import { whole } from "./stop/whole.ts";
import { words } from "./stop/words.ts";
import { frozen } from "./turn/frozen.ts";
import { history } from "./turn/history.ts";
import { preview } from "./turn/preview.ts";
import { reasonKept } from "./turn/reason-kept.ts";
import { replaySafe } from "./turn/replay-safe.ts";
import { textKept } from "./turn/text-kept.ts";
import { usage } from "./turn/usage.ts";
import { chunked } from "./wire/chunks.ts";
import { doubledTerminal } from "./wire/doubled-terminal.ts";
import { framing } from "./wire/framing.ts";
import { malformedFrame } from "./wire/malformed-frame.ts";
import { notAReply } from "./wire/not-a-reply.ts";
import { reset } from "./wire/reset.ts";
import { stall } from "./wire/stall.ts";
import { strange } from "./wire/strangers.ts";
import { tooLarge } from "./wire/too-large.ts";

/** Every clause; that each file of these folders is here is kept by a test. */
export const clauses: readonly Clause[] = [
  abort,
  capReached,
  capUnproven,
  contentAfter,
  cut,
  laterPrefix,
  noCall,
  noWord,
  openStream,
  unknownWord,
  whole,
  words,
  closed,
  cutInput,
  idsUnique,
  inputExact,
  invalidJson,
  leakedMarkup,
  lossyInput,
  named,
  noneLost,
  notObject,
  required,
  saidTwice,
  siblings,
  chunked,
  doubledTerminal,
  framing,
  malformedFrame,
  notAReply,
  reset,
  stall,
  strange,
  tooLarge,
  frozen,
  history,
  preview,
  reasonKept,
  replaySafe,
  textKept,
  usage,
  inBand,
  retryAfter,
  status,
  unreachable,
  capSent,
  characters,
  foreign,
  replay,
  results,
  valid,
  withheldStaysOut,
];
