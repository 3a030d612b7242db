import type { VNode } from "preact";
import { useState } from "preact/hooks";
import {
  type ExpectedVerdict,
  type FixtureFile,
  RecordingError,
  type ReplyView,
  toFixture,
} from "../../src/view/index.ts";
import { byteLength, formatBytes } from "./format.ts";
import { showMarks } from "./marks.ts";

type Opinion = "recorded" | ExpectedVerdict;

/** What a reader may think of the verdict. */
const opinions: Readonly<Record<Opinion, string>> = {
  recorded: "The verdict is right: the test passes",
  call: "The calls should have run: the test fails until they do",
  withheld: "The calls should have been withheld: the test fails until they are",
};
const opinionNames = Object.keys(opinions) as readonly Opinion[];

interface SaveProps {
  readonly reply: ReplyView;
  /** The reply byte for byte, if the page has it. Otherwise it is written anew from its events. */
  readonly text?: string | undefined;
}

/** Makes files of a reply: the reply, the turn that it must read as, and a test. */
export function SaveFixture({ reply, text }: SaveProps): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        Save as a fixture
      </button>
      {isOpen && (
        <dialog ref={showModal} aria-labelledby="fixture-title" onClose={() => setOpen(false)}>
          <h2 id="fixture-title">Save this reply as a fixture</h2>
          <FixtureForm reply={reply} text={text} />
          <form method="dialog">
            <button type="submit">Close</button>
          </form>
        </dialog>
      )}
    </>
  );
}

/** For `ref`. It is called when the dialog joins the page. */
const showModal = (dialog: HTMLDialogElement | null): void => dialog?.showModal();

function FixtureForm({ reply, text }: SaveProps): VNode {
  const [name, setName] = useState("");
  const [opinion, setOpinion] = useState<Opinion>("recorded");
  const made = makeFiles({ reply, text }, name, opinion);
  return (
    <div class="fixture">
      <label class="answer">
        <span>Name of the files</span>
        <input
          type="text"
          value={name}
          placeholder={`recorded-${reply.id}`}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <fieldset class="opinions">
        <legend>What do you expect?</legend>
        {opinionNames.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="opinion"
              checked={one === opinion}
              onChange={() => setOpinion(one)}
            />
            <span>{opinions[one]}</span>
          </label>
        ))}
      </fieldset>
      {typeof made === "string" ? (
        <p role="alert" class="notice">
          {showMarks(made)}
        </p>
      ) : (
        <ul class="files">
          {made.map((file) => (
            <FileLine key={file.name} file={file} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** The files, or why there are none. */
function makeFiles(
  { reply, text }: SaveProps,
  name: string,
  opinion: Opinion,
): readonly FixtureFile[] | string {
  try {
    const [replyFile, ...others] = toFixture(reply, {
      ...(name !== "" && { name }),
      ...(opinion !== "recorded" && { expected: opinion }),
    });
    if (replyFile === undefined) return others;
    return [text === undefined ? replyFile : { ...replyFile, text }, ...others];
  } catch (thrown) {
    if (thrown instanceof RecordingError) return thrown.message;
    throw thrown;
  }
}

function FileLine({ file }: { readonly file: FixtureFile }): VNode {
  return (
    <li>
      <code>{file.name}</code>
      <span class="numbers">{formatBytes(byteLength(file.text))}</span>
      <button type="button" onClick={() => download(file)}>
        Download
        <span class="sr">{` ${file.name}`}</span>
      </button>
    </li>
  );
}

function download({ name, text }: FixtureFile): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
