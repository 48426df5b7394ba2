import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { expectTypeOf, test } from "vitest";
import { failureOf, type Client, type ClientOptions } from "../../client/client.ts";
import type { Connection } from "../../client/frame-link.ts";
import type { AppRouter } from "../../router/app.ts";
import type { ErrorCode } from "../../router/errors/error-codes.ts";

// tsc checks these expectations; at run time they do nothing.

type Input = inferRouterInputs<AppRouter>;
type Output = inferRouterOutputs<AppRouter>;
type Bytes = Uint8Array<ArrayBuffer>;

test("takes the bytes of a file, and every option with a default is optional", () => {
  expectTypeOf<Input["tools"]["pdfRotate"]>().toEqualTypeOf<{
    file: Uint8Array | ArrayBuffer | ArrayBufferView | Blob;
    angle?: 90 | 180 | 270 | -90 | undefined;
    range?: string | undefined;
    password?: string | undefined;
    filename?: string | undefined;
  }>();
});

test("takes bytes of any buffer, a Blob and a File, in lists too", () => {
  type Rotated = Input["tools"]["pdfRotate"]["file"];
  type Listed = Input["tools"]["pdfMerge"]["files"][number]["data"];
  type Sent = Uint8Array | Uint8Array<SharedArrayBuffer> | Buffer | ArrayBuffer | DataView | Blob | File;
  expectTypeOf<Sent>().toExtend<Rotated>();
  expectTypeOf<Sent>().toExtend<Listed>();
  type Streamed = Input["secrets"]["createFile"]["file"];
  expectTypeOf<Sent | ReadableStream<Uint8Array> | AsyncIterable<Buffer>>().toExtend<Streamed>();
});

test("takes options that are undefined", () => {
  expectTypeOf<Record<keyof ClientOptions, undefined>>().toExtend<ClientOptions>();
  expectTypeOf<
    Record<Exclude<keyof Connection, "url">, undefined> & { url: string }
  >().toExtend<Connection>();
});

test("requires what has no default", () => {
  type Convert = Input["tools"]["imageConvert"];
  // With metadata=strip it is that of the source.
  expectTypeOf<Convert["format"]>().toEqualTypeOf<"webp" | "jpeg" | "png" | "avif" | undefined>();
  expectTypeOf<{ format: "png" }>().not.toExtend<Convert>();
  expectTypeOf<{ file: Bytes; format: "png" }>().toExtend<Convert>();
  expectTypeOf<{ file: Bytes; format: "jpg" }>().not.toExtend<Convert>();
});

test("takes a list of files to merge", () => {
  expectTypeOf<{ files: { data: Bytes }[] }>().toExtend<Input["tools"]["pdfMerge"]>();
  expectTypeOf<{ files: Bytes[] }>().not.toExtend<Input["tools"]["pdfMerge"]>();
});

test("takes a file that is still arriving only where the tool reads a stream", () => {
  expectTypeOf<{ file: AsyncIterable<Bytes> }>().toExtend<Input["tools"]["fileHash"]>();
  expectTypeOf<{ file: AsyncIterable<Bytes> }>().not.toExtend<Input["tools"]["pdfUnlock"]>();
});

test("returns the bytes of a result", () => {
  expectTypeOf<Output["tools"]["pdfUnlock"]["data"]>().toEqualTypeOf<Bytes>();
  expectTypeOf<Output["tools"]["fileEncrypt"]["data"]>().toEqualTypeOf<Bytes>();
  expectTypeOf<Output["tools"]["pdfUnlock"]["passwordNeeded"]>().toEqualTypeOf<boolean>();
});

test("returns JSON results with their own types", () => {
  expectTypeOf<Output["tools"]["password"]["passwords"]>().toEqualTypeOf<string[]>();
  expectTypeOf<Output["secrets"]["create"]["expiry"]>().toEqualTypeOf<string>();
  expectTypeOf<Output["secrets"]["list"]["next"]>().toEqualTypeOf<string | null>();
  expectTypeOf<Output["tokens"]["create"]["expiry"]>().toEqualTypeOf<string | null>();
});

test("creates a secret from its content alone", () => {
  expectTypeOf<{ content: string }>().toExtend<Input["secrets"]["create"]>();
  expectTypeOf<{ text: string }>().not.toExtend<Input["secrets"]["create"]>();
});

test("has queries and mutations where the contract has them", () => {
  expectTypeOf<Client["tools"]["catalogue"]>().toHaveProperty("query");
  expectTypeOf<Client["tools"]["catalogue"]>().not.toHaveProperty("mutate");
  expectTypeOf<Client["secrets"]["list"]>().toHaveProperty("query");
  expectTypeOf<Client["tools"]["password"]>().toHaveProperty("mutate");
});

test("calls a query without options with nothing or an empty object", () => {
  type Queries = [Client["secrets"]["list"], Client["tokens"]["list"], Client["tools"]["catalogue"]];
  expectTypeOf<Queries[number]["query"]>().toBeCallableWith();
  expectTypeOf<Queries[number]["query"]>().toBeCallableWith({});
  type List = Exclude<Input["secrets"]["list"], void | undefined>;
  expectTypeOf<undefined>().toExtend<Input["secrets"]["list"]>();
  expectTypeOf<List>().toEqualTypeOf<{
    status?: "active" | "revealed" | "revoked" | "expired" | "locked" | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  }>();
});

test("tells the fields of a warning by its code", () => {
  type Warning = Output["tools"]["pdfMerge"]["warnings"][number];
  type About<Code> = Extract<Warning, { code: Code }>;
  expectTypeOf<About<"first_frame_only">["frames"]>().toEqualTypeOf<number>();
  expectTypeOf<About<"unknown_parameter">["nearest"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<About<"standard_unchecked">>().not.toHaveProperty("frames");
  expectTypeOf<Warning>().toHaveProperty("message");
});

test("tells the status and the fields of a failure by its code", () => {
  type Failure = NonNullable<ReturnType<typeof failureOf>>;
  type About<Code> = Extract<Failure, { code: Code }>;
  expectTypeOf<Failure["code"]>().toEqualTypeOf<ErrorCode>();
  expectTypeOf<"no_such_code">().not.toExtend<Failure["code"]>();
  expectTypeOf<About<"rate_limited">["retryAfter"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<About<"rate_limited">["status"]>().toEqualTypeOf<429>();
  expectTypeOf<About<"wrong_passphrase">["attemptsLeft"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<About<"wrong_passphrase">>().not.toHaveProperty("retryAfter");
  expectTypeOf<Failure["error"]>().toEqualTypeOf<string>();
});
