import { ByteStream } from "../../../wire/byte-pieces.ts";
import { StreamPart } from "../answer/stream.ts";
import { rememberName, type Bytes } from "../../../wire/bytes.ts";
import { labelledFile, type FileLabel, type MakeFile } from "../../../wire/frame.ts";
import type { ProcedureInput } from "../schema/input.ts";
import { fieldOf } from "../schema/reading.ts";
import type { FileClass, Shape } from "../schema/shape.ts";
import { leavesOf } from "../schema/shape-parts.ts";

/** A file of a frame before its class is known: a File has a copy of its bytes, which not every schema asks for. */
class FramedFile {
  readonly bytes: Bytes;
  readonly label: FileLabel;

  constructor(bytes: Bytes, label: FileLabel) {
    this.bytes = bytes;
    this.label = label;
  }
}

/** The files of one frame. */
export class FramedFiles {
  #isEmpty = true;

  readonly makeFile: MakeFile = (bytes, label) => {
    this.#isEmpty = false;
    return new FramedFile(bytes, label);
  };

  /**
   * The input with each file in the class that the schema asks for there: its bytes for `bytes()`, a ReadableStream for
   * `z.instanceof(ReadableStream)`, and otherwise the File or Blob that was sent.
   */
  fit(input: unknown, { shape, files }: Pick<ProcedureInput, "shape" | "files">): unknown {
    const wantsStream = files.some(({ as }) => as === "stream");
    return this.#isEmpty && !wantsStream ? input : fitValue(input, [shape]);
  }
}

/**
 * A result as a frame carries it: a stream, or the body of a Response, in place of one that stands where REST looks for a
 * file, which is the result itself or its `data`.
 */
export function withByteStream(result: unknown): unknown {
  const own = byteStreamOf(result);
  if (own !== undefined || Object.getPrototypeOf(result ?? 0) !== Object.prototype) return own ?? result;
  const data = byteStreamOf(Reflect.get(Object(result), "data"));
  return data === undefined ? result : { ...Object(result), data };
}

function byteStreamOf(value: unknown): ByteStream | Uint8Array | undefined {
  if (value instanceof Response) return byteStreamOf(value.body) ?? new Uint8Array();
  return value instanceof ReadableStream ? new StreamPart(value) : undefined;
}

function fitValue(value: unknown, shapes: readonly Shape[]): unknown {
  if (value instanceof FramedFile) return fitFile(value, shapes.flatMap(fileClasses));
  if (value instanceof Uint8Array || value instanceof ByteStream)
    return fitBytes(value, shapes.flatMap(fileClasses));
  if (Array.isArray(value))
    return value.map((item: unknown, i) => {
      const ofItem = shapes.flatMap((shape) => itemShapes(shape, i));
      return fitValue(item, ofItem);
    });
  if (Object.getPrototypeOf(value ?? 0) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(Object(value)).map(([name, item]) => {
      const ofField = shapes.flatMap((shape) => fieldShapes(shape, name));
      return [name, fitValue(item, ofField)];
    }),
  );
}

function fitFile({ bytes, label }: FramedFile, classes: readonly FileClass[]): unknown {
  const [first = "file"] = classes;
  const isKept = classes.includes("file") || classes.includes("blob");
  if (!isKept && first === "bytes") {
    rememberName(bytes, label.name);
    return bytes;
  }
  return isKept || first !== "stream" ? labelledFile(bytes, label) : fitBytes(bytes, classes);
}

function fitBytes(given: Uint8Array | ByteStream, classes: readonly FileClass[]): unknown {
  if (!classes.includes("stream") || classes.includes("bytes")) return given;
  return given instanceof ByteStream ? given.stream() : new Blob([new Uint8Array(given)]).stream();
}

function fileClasses(shape: Shape): readonly FileClass[] {
  return leavesOf(shape).flatMap((each) => (each.kind === "file" ? [each.as] : []));
}

function itemShapes(shape: Shape, index: number): readonly Shape[] {
  return leavesOf(shape).flatMap((each) => (each.kind === "list" ? (each.first[index] ?? each.others) : []));
}

function fieldShapes(shape: Shape, name: string): readonly Shape[] {
  return leavesOf(shape).flatMap((each) => (each.kind === "object" ? (fieldOf(each, name) ?? []) : []));
}
