import { ByteStream } from "../../../wire/byte-pieces.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { labelledFile, type MakeFile } from "../../../wire/frame.ts";
import type { ProcedureInput } from "../schema/input.ts";
import type { FileClass, Shape } from "../schema/shape.ts";

/** The files of one frame, with their bytes at hand: a Blob gives its own only later. */
export class FramedFiles {
  readonly #contents = new Map<unknown, Bytes>();

  readonly makeFile: MakeFile = (bytes, label) => {
    const file = labelledFile(bytes, label);
    this.#contents.set(file, bytes);
    return file;
  };

  /**
   * The input with each file in the class that the schema asks for there: its bytes for `bytes()`, a ReadableStream for
   * `z.instanceof(ReadableStream)`. What the schema does not know stays as it was sent.
   */
  fit(input: unknown, { shape, files }: ProcedureInput): unknown {
    const wantsStream = files.some(({ as }) => as === "stream");
    return this.#contents.size > 0 || wantsStream ? this.#fit(input, [shape]) : input;
  }

  #fit(value: unknown, shapes: readonly Shape[]): unknown {
    if (value instanceof Uint8Array || value instanceof Blob || value instanceof ByteStream)
      return this.#fitFile(value, shapes.flatMap(fileClasses));
    if (Array.isArray(value))
      return value.map((item: unknown, i) =>
        this.#fit(
          item,
          shapes.flatMap((shape) => itemShapes(shape, i)),
        ),
      );
    if (Object.getPrototypeOf(value ?? 0) !== Object.prototype) return value;
    return Object.fromEntries(
      Object.entries(Object(value)).map(([name, item]) => [
        name,
        this.#fit(
          item,
          shapes.flatMap((shape) => fieldShapes(shape, name)),
        ),
      ]),
    );
  }

  #fitFile(file: Uint8Array | Blob | ByteStream, classes: readonly FileClass[]): unknown {
    const own: readonly FileClass[] = file instanceof Blob ? ["file", "blob"] : ["bytes"];
    if (classes.length === 0 || classes.some((each) => own.includes(each))) return file;
    if (classes.includes("bytes")) return this.#contents.get(file) ?? file;
    if (!classes.includes("stream")) return file;
    return file instanceof Uint8Array ? new Blob([new Uint8Array(file)]).stream() : file.stream();
  }
}

/** The shapes that a value may have: the arms of a union and the parts of an intersection in place of both. */
function alternatives(shape: Shape): readonly Shape[] {
  if (shape.kind === "both") return shape.parts.flatMap(alternatives);
  return shape.kind === "union" ? shape.arms.flatMap((arm) => alternatives(arm.shape)) : [shape];
}

function fileClasses(shape: Shape): readonly FileClass[] {
  return alternatives(shape).flatMap((each) => (each.kind === "file" ? [each.as] : []));
}

function itemShapes(shape: Shape, index: number): readonly Shape[] {
  return alternatives(shape).flatMap((each) =>
    each.kind === "list" ? (each.first[index] ?? each.others) : [],
  );
}

function fieldShapes(shape: Shape, name: string): readonly Shape[] {
  return alternatives(shape).flatMap((each) =>
    each.kind === "object" ? (each.properties.get(name) ?? each.others) : [],
  );
}
