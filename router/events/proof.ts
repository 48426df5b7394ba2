import { z } from "zod";
import { ApiError } from "../errors/errors.ts";

/** Where the proof of a query stands, which a URL would show to proxies, histories and logs. */
const HEADER = "Secret-Proof";

/** The header, for the document. */
export function proofHeader(description: string) {
  return z.object({ [HEADER]: z.string().optional().meta({ description, format: "password" }) });
}

export function missingProof(what: string): ApiError {
  const error = `The header ${HEADER} is missing; send ${what} in it`;
  return new ApiError("missing_parameter", error, { parameter: HEADER, in: "header" });
}
