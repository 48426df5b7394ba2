/** The parts of an OpenAPI 3.1 document that are read or written here. */
export type Json = Record<string, unknown>;

export interface SchemaObject extends Json {
  readonly properties?: Json;
}

export interface MediaType {
  readonly schema: SchemaObject;
  readonly example?: unknown;
}

export type ContentObject = Record<string, MediaType>;

export interface RequestBodyObject {
  readonly required?: boolean;
  readonly content: ContentObject;
}

/** An operation's own answer, or a reference to a shared one. */
interface ResponseObject {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Json;
  readonly content?: ContentObject;
}

export type Responses = Record<string, ResponseObject>;

export interface OperationObject extends Json {
  readonly operationId?: string;
  readonly parameters?: readonly Json[];
  readonly requestBody?: RequestBodyObject;
  readonly responses: Responses;
}

export interface Document extends Json {
  readonly paths: Record<string, Record<string, OperationObject>>;
  readonly components: Readonly<Record<string, unknown>>;
}

export const BINARY: SchemaObject = { type: "string", format: "binary" };
/** The media type of server-sent events (WHATWG HTML, 9.2). */
export const EVENTS_TYPE = "text/event-stream";
export const TEXT: SchemaObject = { type: "string" };
