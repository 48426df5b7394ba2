// The entry of the package @hushkit/client.
export { createClient, failureOf, type Client, type ClientOptions } from "./client.ts";
export { frameLink, type Connection } from "./frame-link.ts";
export { NotHushkit, notHushkitOf } from "./answers/not-hushkit.ts";
export { bytesTransformer, hasBytes } from "./file-body.ts";
export type { ByteStream } from "../wire/byte-pieces.ts";
export type { IdempotencyContext, Progress, ProgressContext } from "./call-context.ts";
export type { AppRouter } from "../router/app.ts";
export type { ErrorCode } from "../router/errors/error-codes.ts";
export type { ErrorBody } from "../router/errors/errors.ts";
