import type { inferProcedureInput } from "@trpc/server";
import { expectTypeOf, test } from "vitest";
import { ApiError } from "../../router/errors/errors.ts";
import type { DetailsOf } from "../../router/errors/error-codes.ts";
import type { toolProcedures } from "../../router/procedures/tools/tools.ts";
import type { LockAgeOptions } from "../../tools/age/lock-age.ts";
import type { UnlockAgeOptions } from "../../tools/age/unlock-age.ts";
import type { LockOptions } from "../../tools/file-encrypt.ts";
import type { HashFileOptions } from "../../tools/file-hash.ts";
import type { ConvertOptions } from "../../tools/image-convert.ts";
import type { PasswordRequest } from "../../tools/password.ts";
import type { CleanOptions } from "../../tools/pdf-clean.ts";
import type { CompressPdfOptions } from "../../tools/pdf-compress.ts";
import type { LockPdfOptions } from "../../tools/pdf-lock.ts";
import type { MergeInput } from "../../tools/pdf-merge.ts";
import type { RotateOptions } from "../../tools/pdf-rotate.ts";
import type { SplitOptions } from "../../tools/pdf-split.ts";
import type { UnlockPdfOptions } from "../../tools/pdf-unlock.ts";
import type { CompareOptions } from "../../tools/text-compare.ts";

// tsc checks these expectations; at run time they do nothing. In the procedures, `satisfies` compares each schema
// with its tool's options; here are the names, so that an option that only one side knows is an error too.

/** Options of a tool that exist only for callers in the same process. */
type ForCallers = "maxBytes" | "onProgress";
type Procedures = typeof toolProcedures;
type OptionNames<Name extends keyof Procedures> = Exclude<
  // Where every option has a default, the input may be left out.
  keyof Exclude<inferProcedureInput<Procedures[Name]>, void | undefined>,
  "file" | "filename"
>;

test("every option of a tool is a parameter, and the other way round", () => {
  expectTypeOf<OptionNames<"pdfClean">>().toEqualTypeOf<Exclude<keyof CleanOptions, ForCallers>>();
  expectTypeOf<OptionNames<"pdfCompress">>().toEqualTypeOf<Exclude<keyof CompressPdfOptions, ForCallers>>();
  expectTypeOf<OptionNames<"pdfLock">>().toEqualTypeOf<Exclude<keyof LockPdfOptions, ForCallers>>();
  expectTypeOf<OptionNames<"pdfUnlock">>().toEqualTypeOf<Exclude<keyof UnlockPdfOptions, ForCallers>>();
  expectTypeOf<OptionNames<"pdfRotate">>().toEqualTypeOf<Exclude<keyof RotateOptions, ForCallers>>();
  expectTypeOf<OptionNames<"pdfSplit">>().toEqualTypeOf<Exclude<keyof SplitOptions, ForCallers>>();
  expectTypeOf<OptionNames<"fileHash">>().toEqualTypeOf<
    Exclude<keyof HashFileOptions, "createHasher" | "filename">
  >();
  expectTypeOf<OptionNames<"password">>().toEqualTypeOf<Exclude<keyof PasswordRequest, "random">>();
  expectTypeOf<OptionNames<"imageConvert">>().toEqualTypeOf<
    "metadata" | Exclude<keyof ConvertOptions, "codec" | "reserve" | "maxPixels">
  >();
  expectTypeOf<OptionNames<"textCompare">>().toEqualTypeOf<"a" | "b" | keyof CompareOptions>();
  expectTypeOf<OptionNames<"fileEncrypt">>().toEqualTypeOf<
    | "direction"
    | "format"
    | Exclude<keyof LockOptions, "filename" | "salt" | "prefix" | "limiter" | "isOwned">
    | Exclude<keyof LockAgeOptions, "limiter" | "isOwned">
    | Exclude<keyof UnlockAgeOptions, "limiter" | "maxWorkFactor">
  >();
  type File = inferProcedureInput<Procedures["pdfMerge"]>["files"][number];
  expectTypeOf<keyof File>().toEqualTypeOf<keyof MergeInput>();
});

test("an error has only the details of its code", () => {
  expectTypeOf<DetailsOf<"wrong_passphrase">>().toEqualTypeOf<{
    readonly parameter?: string;
    readonly attemptsLeft?: number;
  }>();
  expectTypeOf<ConstructorParameters<typeof ApiError<"secret_gone">>[2]>().toEqualTypeOf<
    { readonly secretStatus?: string; readonly closed?: string | null } | undefined
  >();
});
