import type { z } from "zod";

/** How REST reads the call of a procedure and writes its answer; RPC needs none of it. */
export interface HttpMeta {
  /** The name of a kind of body (rest/body-kinds/), or of one that the adapter was given. */
  readonly body: string;
  /** json, or the name of a writer that the adapter was given. */
  readonly result: string;
  /** Of a success, where it is not 200. */
  readonly status?: number;
  /** The media type of a file that it answers, where the file itself names none. */
  readonly type?: string;
  /** The field of the result that `raw=true` or `Accept: text/plain` answers as bare text, and `/raw` behind the path always. */
  readonly text?: { readonly field: string; readonly by: "raw" | "accept" };
  /** More paths to the same procedure. */
  readonly aliases?: readonly string[];
  readonly alsoGet?: true;
  /** Its answer has an ETag that the procedure sets: who has it already gets 304, and HEAD runs it too. */
  readonly hasTag?: true;
  /**
   * JSON and text are compressed for who takes that. Only for answers that hold nothing confidential: beside what a caller
   * has sent, their length would tell of it (BREACH).
   */
  readonly compressed?: true;
  /** It sets headers of the answer, such as cookies: a batch with it is answered over RPC when all of its calls are. */
  readonly setsHeaders?: true;
  /** Whether a text of a query or form is a list of what stands between its commas, where the schema wants a list. */
  readonly lists?: "comma";
  /** Whether an integer in a query or form is digits alone, nine at the most; otherwise any number of JSON that is whole. */
  readonly integers?: "digits";
  /** What an empty text of a query or form is: without this, an empty text; a flag that is there and empty is true then. */
  readonly emptyTexts?: "absent";
  /** A name that the schema does not know is ignored with a warning, also where the schema would refuse it. */
  readonly unknown?: "warn";
  /** Texts of a JSON that may be very long; they arrive as `Utf8Text`, which nothing has decoded. */
  readonly largeTexts?: readonly string[];
}

/**
 * Where REST has a procedure, and what the document says of it: the words of trpc-to-openapi 3, whose own types need five
 * frameworks to compile.
 */
export interface OpenApiOperation {
  /** False takes it off REST and out of the document. */
  readonly enabled?: boolean;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** With places in braces: `/notes/{id}`. */
  readonly path: `/${string}`;
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  /** Whether the document says that it needs a credential. */
  readonly protect?: boolean;
  readonly tags?: string[];
  /** Media types of the body; `meta.http.body` says it better. */
  readonly contentTypes?: string[];
  readonly deprecated?: boolean;
  readonly requestHeaders?: z.ZodObject;
  readonly responseHeaders?: z.ZodObject;
  readonly successDescription?: string;
  /** Statuses, or statuses with what they mean. */
  readonly errorResponses?: number[] | Record<number, string>;
}

/** What the adapter reads of a procedure's meta. */
export interface AdapterMeta {
  readonly openapi?: OpenApiOperation;
  /** Without a body it is that of the method and the schema, without a result it is JSON. */
  readonly http?: Omit<HttpMeta, "body" | "result"> & Partial<Pick<HttpMeta, "body" | "result">>;
}
