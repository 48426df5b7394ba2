// The entry of the package @hushkit/trpc.
export type { TrpcServerOptions } from "./options.ts";
export { createTrpcServer, type TrpcServer } from "./server.ts";
export { bytesTransformer } from "../../wire/byte-tree.ts";
export { sentNameOf } from "../../wire/bytes.ts";
export { bytes, byteStream, type AdapterMeta, type HttpMeta } from "./meta.ts";
export type { BodyKind, FailedCall, FormattedError, WriteResult } from "./adapter.ts";
export type { CorsHeaders } from "./request.ts";
export { CallError, type CallErrorCode, type CallErrorDetails } from "../../wire/call-error.ts";
export { ByteStream } from "../../wire/byte-pieces.ts";
