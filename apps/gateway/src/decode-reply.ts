import { pipeline, type Readable, type Transform } from "node:stream";
import zlib, { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** What arrived goes on at once, also of a body that is cut. */
const flush = constants.Z_SYNC_FLUSH;
const brotliFlush = constants.BROTLI_OPERATION_FLUSH;
const gunzip = (): Transform => createGunzip({ flush, finishFlush: flush });
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: gunzip,
  "x-gzip": gunzip,
  deflate: () => createInflate({ flush, finishFlush: flush }),
  br: () => createBrotliDecompress({ flush: brotliFlush, finishFlush: brotliFlush }),
  zstd: createUnzstd,
};

/** Node 22 before 22.15 has none. An import of it by name would end the program there. */
function createUnzstd(): Transform {
  const { createZstdDecompress } = zlib as Partial<typeof zlib>;
  if (createZstdDecompress === undefined) throw new Error(needsNewerNode);
  return createZstdDecompress();
}
/** A part of the sentence for the client. */
export const needsNewerNode = "its reply is compressed with zstd, which needs Node 22.15";

/** Servers use one. Each further one could decode to a much larger body. */
const maxEncodings = 5;

/** A body without its content encodings. If one of them is not known, the body stays as it is. */
export function decodeReply(body: Readable, header: string | string[] | undefined): Readable {
  const names = [header ?? []].flat().join().toLowerCase().split(",");
  const encodings = names.map((name) => name.trim()).filter((name) => name !== "");
  if (encodings.length > maxEncodings)
    return body.destroy(new Error("The reply has too many content encodings."));
  const steps = encodings.map((name) =>
    Object.hasOwn(decoders, name) ? decoders[name] : undefined,
  );
  if (steps.length === 0 || steps.includes(undefined)) return body;
  const decoded = steps.reverse().flatMap((create) => create?.() ?? []);
  // What goes wrong reaches the reader of the last stream.
  return pipeline([body, ...decoded], () => undefined) as unknown as Readable;
}
