/**
 * A value of the metadata. The format has more types.
 * https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */
export type Value =
  | string
  | boolean
  | { readonly uint32: number }
  | { readonly float32: number }
  | { readonly int32s: readonly number[] }
  | { readonly float32s: readonly number[] }
  | { readonly strings: readonly string[] };

/** A matrix of 32-bit floats, row by row, or a vector of one row. */
export interface Tensor {
  readonly rows?: number;
  readonly columns: number;
  readonly data: Float32Array;
}

const ggufVersion = 3;
const alignment = 32;
const float32Tensor = 0;
const valueTypes = { uint32: 4, int32: 5, float32: 6, boolean: 7, string: 8, array: 9 } as const;

/** A model file. */
export function ggufFile(
  metadata: Readonly<Record<string, Value>>,
  tensors: Readonly<Record<string, Tensor>>,
): Buffer {
  const fields = Object.entries(metadata).flatMap(([key, value]) => [
    encodeText(key),
    encodeValue(value),
  ]);
  const head = [
    Buffer.from("GGUF"),
    uint32(ggufVersion),
    uint64(Object.keys(tensors).length),
    uint64(Object.keys(metadata).length),
    ...fields,
    ...tensorHeads(tensors),
  ];
  const bodies = Object.values(tensors).map(({ data }) => padded(Buffer.from(data.buffer)));
  return Buffer.concat([padded(Buffer.concat(head)), ...bodies]);
}

function tensorHeads(tensors: Readonly<Record<string, Tensor>>): readonly Buffer[] {
  let offset = 0;
  return Object.entries(tensors).flatMap(([name, { rows, columns, data }]) => {
    const sizes = rows === undefined ? [columns] : [columns, rows];
    const head = [
      encodeText(name),
      uint32(sizes.length),
      ...sizes.map(uint64),
      uint32(float32Tensor),
      uint64(offset),
    ];
    offset += Math.ceil(data.byteLength / alignment) * alignment;
    return head;
  });
}

function encodeValue(value: Value): Buffer {
  if (typeof value === "string") return typed("string", encodeText(value));
  if (typeof value === "boolean") return typed("boolean", Buffer.from([value ? 1 : 0]));
  if ("uint32" in value) return typed("uint32", uint32(value.uint32));
  if ("float32" in value) return typed("float32", float32(value.float32));
  if ("int32s" in value) return arrayOf("int32", value.int32s.map(uint32));
  if ("float32s" in value) return arrayOf("float32", value.float32s.map(float32));
  return arrayOf("string", value.strings.map(encodeText));
}

const typed = (type: keyof typeof valueTypes, ...parts: readonly Buffer[]): Buffer =>
  Buffer.concat([uint32(valueTypes[type]), ...parts]);
const arrayOf = (type: keyof typeof valueTypes, items: readonly Buffer[]): Buffer =>
  typed("array", uint32(valueTypes[type]), uint64(items.length), ...items);

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((alignment - (bytes.length % alignment)) % alignment)]);
