/** The parts of an OpenAPI 3.1 document that are read or written here. */
export type Json = Record<string, unknown>;

export interface Schema extends Json {
  readonly properties?: Json;
}

export interface MediaType {
  readonly schema: Schema;
}

export type Content = Record<string, MediaType>;

export interface RequestBody {
  readonly required?: boolean;
  readonly content: Content;
}

/** An answer of an operation's own, or a reference to one that many give. */
export interface Answer {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Json;
  readonly content?: Content;
}

export type Responses = Record<string, Answer>;

export interface Operation extends Json {
  readonly operationId?: string;
  readonly parameters?: readonly Json[];
  readonly requestBody?: RequestBody;
  readonly responses: Responses;
}

export interface Document extends Json {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Readonly<Record<string, unknown>>;
}

export const BINARY: Schema = { type: "string", format: "binary" };
export const TEXT: Schema = { type: "string" };
