import type { Document } from "../../../adapters/trpc/openapi/types.ts";

/** What must be known of an operation to write a call of it. */
export interface OperationFacts {
  readonly path: string;
  readonly method: string;
  readonly hasQuery: boolean;
  readonly hasBody: boolean;
  /** The status that it answers when all is well. */
  readonly status: number;
  /** Media types of that answer. */
  readonly types: readonly string[];
  /** It answers bytes. */
  readonly isBinary: boolean;
  /** It answers a bare text, or a stream of events, which most read as one. */
  readonly isText: boolean;
  readonly isEvents: boolean;
}

/** The operations of a document by their id. */
export function readOperations(document: Document): ReadonlyMap<string, OperationFacts> {
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const [status = "", answer] = Object.entries(operation.responses).find(([code]) => code < "300") ?? [];
      const types = Object.keys(answer?.content ?? {});
      const isEvents = types.includes("text/event-stream");
      const isText = isEvents || types.includes("text/plain");
      const facts: OperationFacts = {
        path,
        method: method.toUpperCase(),
        hasQuery: (operation.parameters ?? []).some((parameter) => parameter.in === "query"),
        hasBody: operation.requestBody !== undefined,
        status: Number(status),
        types,
        isBinary: !types.includes("application/json") && !isText,
        ...{ isText, isEvents },
      };
      return [operation.operationId ?? "", facts] as const;
    }),
  );
  return new Map(entries);
}
