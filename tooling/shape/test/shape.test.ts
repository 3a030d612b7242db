import { describe, expect, it } from "vitest";
import { type Files, type Rule, readFiles, withChanges } from "../src/files.ts";
import { exportsAgree, published, tools } from "../src/folders.ts";
import { dependencies, oneWay } from "../src/imports.ts";
import { links, shippedLinks } from "../src/links.ts";
import { exportNames, providerShape, sameSettings, withTemplate } from "../src/providers.ts";
import { noDefault, noHostedNames, oneGate } from "../src/words.ts";
import { workflows } from "../src/workflows.ts";

/** The rules must hold for a new provider too. */
const repository = withTemplate(readFiles());
const workflow = ".github/workflows/bad.yml";
const core = "packages/core";
const anthropic = "packages/provider-anthropic";
const acme = "packages/provider-acme";
const manifest = (folder: string, change: object): string =>
  JSON.stringify({ ...JSON.parse(repository.get(`${folder}/package.json`) ?? "{}"), ...change });

/** A rule, and changes of the repository that violate it, each with the expected sentence. */
interface Kept {
  readonly sentence: string;
  readonly rule: Rule;
  readonly breaks: readonly (readonly [
    changes: Parameters<typeof withChanges>[1],
    finding: string,
  ])[];
}

const kept: readonly Kept[] = [
  {
    sentence: "no two folders of core and the loop need each other",
    rule: oneWay,
    breaks: [
      [
        { "packages/loop/src/contract/bad.ts": 'import type { State } from "../turn/state.ts";' },
        "packages/loop/src/contract needs packages/loop/src/turn",
      ],
      [
        { [`${core}/src/json/bad.ts`]: 'export * from "../gate/gate.ts";' },
        `${core}/src/gate needs ${core}/src/json`,
      ],
    ],
  },
  {
    sentence: "each provider has the same five files, and the suite judges it",
    rule: providerShape,
    breaks: [
      [{ [`${acme}/src/errors.ts`]: undefined }, `${acme}/src/errors.ts is missing`],
      [
        {
          "packages/provider-new/src/index.ts":
            'import { chatAdapter } from "@fullstop/provider-openai/protocol";',
          "packages/provider-new/package.json": "{}",
        },
        "packages/provider-new/src/stops.ts is missing",
      ],
      [
        { [`${anthropic}/test/conformance.test.ts`]: "" },
        `${anthropic}/test/conformance.test.ts is missing`,
      ],
      [{ [`${anthropic}/src/stops.ts`]: undefined }, `${anthropic}/src/stops.ts is missing`],
      [
        { "packages/provider-new/package.json": "{}" },
        "packages/provider-new/src/decode.ts is missing",
      ],
      [
        { [`${anthropic}/src/second/stops.ts`]: "" },
        `${anthropic}/src/second/encode.ts is missing`,
      ],
    ],
  },
  {
    sentence:
      "a provider exports a factory with its name, and tables with the names of their files",
    rule: exportNames,
    breaks: [
      [
        { [`${anthropic}/src/index.ts`]: "export function claude() {}" },
        `${anthropic}/src/index.ts exports nothing called anthropic`,
      ],
      [
        { [`${acme}/src/stops.ts`]: "export const words = {};" },
        `${acme}/src/stops.ts exports no table called stops`,
      ],
    ],
  },
  {
    sentence: "all providers have the same settings",
    rule: sameSettings,
    breaks: [
      [
        { [`${anthropic}/tsconfig.json`]: "{}" },
        `${anthropic}/tsconfig.json differs from the template's`,
      ],
      [
        { [`${anthropic}/package.json`]: manifest(anthropic, { sideEffects: true }) },
        `${anthropic}/package.json: sideEffects differs from the template's`,
      ],
    ],
  },
  {
    sentence: "every package has a README, a license, and a Node that is tested",
    rule: published,
    breaks: [
      [{ [`${core}/README.md`]: undefined }, `${core}/README.md is missing`],
      [
        { [`${core}/package.json`]: manifest(core, { license: undefined }) },
        `${core}/package.json names no license`,
      ],
      [
        { [`${core}/package.json`]: manifest(core, { engines: { node: ">=22" } }) },
        `${core}/package.json: engines.node is not a version that is tested`,
      ],
    ],
  },
  {
    sentence: "tooling has few folders, and each has a README",
    rule: tools,
    breaks: [
      [{ "tooling/fuzz/README.md": undefined }, "tooling/fuzz/README.md is missing"],
      [{ "tests/new/package.json": "{}" }, "tests/new/README.md is missing"],
      [
        Object.fromEntries(
          Array.from({ length: 9 }, (_, at) => [`tooling/${at}/package.json`, ""]),
        ),
        "tooling has 19 folders, and may have 12",
      ],
    ],
  },
  {
    sentence: "the published exports equal the exports inside the repository",
    rule: exportsAgree,
    breaks: [
      [
        { [`${core}/package.json`]: manifest(core, { publishConfig: {} }) },
        `${core}/package.json: publishConfig.exports differs from exports`,
      ],
      [
        { [`${core}/src/index.ts`]: undefined },
        `${core}/package.json exports ./src/index.ts, which is missing`,
      ],
      [
        { "packages/inspect/page/client/shared.ts": undefined },
        "packages/inspect/package.json exports ./page/client/shared.ts, which is missing",
      ],
    ],
  },
  {
    sentence: "core depends on nothing, and the others on core and not on each other",
    rule: dependencies,
    breaks: [
      [
        { [`${core}/package.json`]: manifest(core, { dependencies: { zod: "1" } }) },
        `${core} depends on zod; 0 allowed`,
      ],
      [
        { [`${core}/package.json`]: manifest(core, { dependencies: { "@fullstop/loop": "1" } }) },
        `${core} may not depend on @fullstop/loop`,
      ],
      [
        { [`${core}/src/bad.ts`]: 'import { run } from "@fullstop/loop";' },
        `${core}/src/bad.ts may not import @fullstop/loop`,
      ],
      [
        { "packages/loop/src/bad.ts": 'import {\n  mock,\n} from "@fullstop/provider-mock";' },
        "packages/loop/src/bad.ts may not import @fullstop/provider-mock",
      ],
      [
        { "packages/loop/src/bad.ts": 'export * from "zod";' },
        "packages/loop/src/bad.ts may not import zod",
      ],
      [
        { "packages/loop/src/bad.ts": 'export * from "#page";' },
        "packages/loop/src/bad.ts may not import #page",
      ],
      [
        { "packages/conformance/src/bad.ts": 'await import("@fullstop/loop");' },
        "packages/conformance/src/bad.ts may not import @fullstop/loop",
      ],
      [
        { [`${anthropic}/src/bad.ts`]: 'import "@fullstop/provider-mock";' },
        `${anthropic}/src/bad.ts may not import @fullstop/provider-mock`,
      ],
      [
        { [`${anthropic}/src/bad.ts`]: 'import "../../core/src/gate/gate.ts";' },
        `${anthropic}/src/bad.ts may not import ../../core/src/gate/gate.ts`,
      ],
      [{ "packages/new/package.json": "{}" }, "packages/new: the dependency rule does not name it"],
    ],
  },
  {
    sentence: "only the gate makes a ToolCall",
    rule: oneGate,
    breaks: [
      [
        { [`${core}/src/bad.ts`]: "const call = block as ToolCall;" },
        `${core}/src/bad.ts makes a ToolCall by assertion`,
      ],
      [
        { "apps/cli/src/bad.ts": "const calls = blocks as unknown as readonly ToolCall[];" },
        "apps/cli/src/bad.ts makes a ToolCall by assertion",
      ],
    ],
  },
  {
    sentence: "core and loop name no tool of a provider",
    rule: noHostedNames,
    breaks: [
      [
        {
          "packages/loop/src/summary.ts": 'export const asks = (name) => name === "mcp_approval";',
        },
        "packages/loop/src/summary.ts names mcp_approval, a tool of a provider",
      ],
    ],
  },
  {
    sentence: "no stop table and no decoder has a default",
    rule: noDefault,
    breaks: [
      [
        { [`${anthropic}/src/decode.ts`]: "switch (a) {\n  default: b();\n}" },
        `${anthropic}/src/decode.ts has a default`,
      ],
      [
        { [`${anthropic}/src/chat/stops.ts`]: "switch (a) {\n  default: b();\n}" },
        `${anthropic}/src/chat/stops.ts has a default`,
      ],
    ],
  },
  {
    sentence: "every relative link leads somewhere",
    rule: links,
    breaks: [
      [{ "bad.md": "[a](packages/gone.md)" }, "bad.md: packages/gone.md leads nowhere"],
      [{ "bad.md": "# Here\n[a](#there)" }, "bad.md: #there leads nowhere"],
      [{ "bad.md": "# Here\n# here\n[a](#here-1) [b](#here-2)" }, "bad.md: #here-2 leads nowhere"],
    ],
  },
  {
    sentence: "workflows and actions pin all versions, and a job that may write uses no action",
    rule: workflows,
    breaks: [
      [
        { [workflow]: "jobs:\n  a:\n    steps:\n      - uses: actions/cache@v5\n" },
        `${workflow}: actions/cache@v5 is not pinned`,
      ],
      [
        { [workflow]: "jobs:\n  a:\n    steps:\n      - run: npx -y pnpm@12 test\n" },
        `${workflow}: pnpm@12 is not pinned`,
      ],
      [
        { "tooling/new/action.yml": "runs:\n  steps:\n    - uses: actions/cache@v5\n" },
        "tooling/new/action.yml: actions/cache@v5 is not pinned",
      ],
      [
        {
          [workflow]: `jobs:\n  a:\n    permissions:\n      id-token: write\n    steps:\n      - uses: a/b@${"0".repeat(40)}\n`,
        },
        `${workflow}: job a may write, and runs an action`,
      ],
      [
        {
          [workflow]: `jobs:\n  a:\n    steps:\n      - uses: actions/checkout@${"0".repeat(40)}\n`,
        },
        `${workflow}: job a keeps git's credentials`,
      ],
    ],
  },
  {
    sentence: "the documents of a package link only to files of installed packages",
    rule: shippedLinks,
    breaks: [
      [
        { [`${core}/BAD.md`]: "[a](../../README.md)" },
        `${core}/BAD.md: ../../README.md is not in an installed package`,
      ],
      [
        { [`${core}/BAD.md`]: "[a](test/acme.ts)" },
        `${core}/BAD.md: test/acme.ts is not in an installed package`,
      ],
      [
        { [`${core}/BAD.md`]: "[a](../loop/BAD.md#there)" },
        `${core}/BAD.md: ../loop/BAD.md#there is not in an installed package`,
      ],
    ],
  },
];

describe("the shape of the repository", () => {
  for (const { sentence, rule, breaks } of kept) {
    it(sentence, () => expect(rule(repository)).toEqual([]));
    for (const [changes, finding] of breaks)
      it(`reports: ${finding}`, () =>
        expect(rule(withChanges(repository, changes))).toContain(finding));
  }

  it("is read from disk", () => {
    const files: Files = repository;
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        "package.json",
        "packages/core/src/gate/gate.ts",
        "tooling/shape/src/files.ts",
      ]),
    );
  });
});
