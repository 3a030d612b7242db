import { cover, membersOf } from "./cover.ts";
import { isFull } from "./full.ts";

/** A reply of a wire, as the suite has it. */
interface Fixture {
  readonly frames: { readonly upToTerminal: readonly string[]; readonly after?: readonly string[] };
  readonly body?: string;
  readonly turn: object;
}
interface Subject {
  readonly wire: {
    readonly name: string;
    readonly nativeStops: { readonly stop?: string; readonly length?: string };
    readonly fixtures?: readonly Fixture[];
  };
}

/** Places of each reply in a sample. Four catch each mutant of the suite that all places catch. */
export const samplePlaces = 4;

/** How many places of each reply are tried. If the tests try everything, `whenFull`: by default all. */
export const places = (whenFull?: number): number | undefined => (isFull ? whenFull : samplePlaces);

const textsOf = ({ frames, body }: Fixture): readonly string[] => [
  ...frames.upToTerminal,
  ...(frames.after ?? []),
  ...(body === undefined ? [] : [body]),
];

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
};

/**
 * What a reply shows: the members of its events, what its turn has, each kind of content beside its
 * stop reason, each empty object beside the inputs of its calls, and another candidate or choice
 * beside what became of the reply.
 */
function* showsOf(fixture: Fixture): Generator<string> {
  const { frames: _, body, ...rest } = fixture;
  if (body !== undefined) yield "a body";
  const members = textsOf(fixture).flatMap((text) => [...membersOf(parsed(text))]);
  yield* members;
  yield* Object.keys(rest).map((name) => `has ${name}`);
  yield* membersOf(rest.turn, "turn");
  const reasons = members.filter((member) => /reason \w+$/i.test(member));
  const kinds = members.filter((member) => /type \w+$|calls? [\w ]+$/i.test(member));
  for (const reason of reasons) for (const kind of kinds) yield `${reason} and ${kind}`;
  const empty = members.filter((member) => member.endsWith(" {}"));
  const inputs = [...membersOf(rest.turn, "turn")].filter((member) => member.includes("/input "));
  for (const member of empty) for (const input of inputs) yield `${member} and ${input}`;
  const others = members.filter((member) =>
    /^\/(?:candidates|choices)\/index number$/.test(member),
  );
  const ends = [...membersOf(rest.turn)].filter((member) => member.startsWith("/stopReason "));
  for (const other of others) for (const end of ends) yield `${other} and ${end}`;
}
const lengthOf = (fixture: Fixture): number => textsOf(fixture).join().length;

/** The samples that were made. To make one takes as long as to ask some clauses. */
const samples = new WeakMap<readonly Fixture[], readonly Fixture[]>();

function sampleOfFixtures(fixtures: readonly Fixture[]): readonly Fixture[] {
  const sample = samples.get(fixtures) ?? cover(fixtures, showsOf, lengthOf);
  samples.set(fixtures, sample);
  return sample;
}

/**
 * The subject with the fixtures that show something that no other shows. The clauses about
 * recordings read all of them.
 */
export function sampleOf<Tested extends Subject>(subject: Tested): Tested {
  const { fixtures = [] } = subject.wire;
  if (fixtures.length === 0) return subject;
  return { ...subject, wire: { ...subject.wire, fixtures: sampleOfFixtures(fixtures) } };
}

/** The same. If the tests try everything, the subject with all of its fixtures. */
export const sampled = <Tested extends Subject>(subject: Tested): Tested =>
  isFull ? subject : sampleOf(subject);

/** The number of bytes between two cuts of the replies that a test cuts at each byte. */
export const cutStep: number = isFull ? 1 : 23;

/** How replies are cut at every byte. */
export const cutAnywhere = { exhaustive: true, only: "stop.cut", sockets: false } as const;

/**
 * The subject, to be cut at every byte of its replies. That takes a minute for all fixtures, and
 * replies under other stop reasons differ in their last event only: so it has the first `count`
 * fixtures, and two stop reasons.
 */
export function everyByte<Tested extends Subject>(subject: Tested, count = 0): Tested {
  const { name, nativeStops, fixtures = [] } = subject.wire;
  const { stop = "", length = "" } = nativeStops;
  return {
    ...subject,
    wire: {
      ...subject.wire,
      name: `${name}, every byte`,
      nativeStops: { stop, length },
      fixtures: fixtures.slice(0, count),
    },
  };
}
