import type { OpenApiMeta } from "trpc-to-openapi";

/** How REST reads the call of a procedure and writes its answer; RPC needs none of it. */
export interface HttpMeta {
  /** The name of a kind of body (rest/body-kinds/), or of one that the adapter was given. */
  readonly body: string;
  /** json, or the name of a writer that the adapter was given. */
  readonly result: string;
  /** Of a success, where it is not 200. */
  readonly status?: number;
  /** The field of the result that `raw=true` or `Accept: text/plain` answers as bare text, and `/raw` behind the path always. */
  readonly text?: { readonly field: string; readonly by: "raw" | "accept" };
  /** More paths to the same procedure. */
  readonly aliases?: readonly string[];
  readonly alsoGet?: true;
  /** It sets headers of the answer, such as cookies: a batch with it is answered over RPC when all of its calls are. */
  readonly setsHeaders?: true;
  /** Texts of a JSON that may be very long; they arrive as `Utf8Text`, which nothing has decoded. */
  readonly largeTexts?: readonly string[];
}

/** What the adapter reads of a procedure's meta. */
export type AdapterMeta = OpenApiMeta<{ http?: HttpMeta }>;
