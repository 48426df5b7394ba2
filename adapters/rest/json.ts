import { ApiError } from "../../router/errors.ts";
import { decodeText } from "../http/request-body.ts";

/** Parses a JSON body. @throws ApiError invalid_text, invalid_json (which quotes nothing of the body) */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeText(bytes, "body").replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError("invalid_json", "The body is not valid JSON", { in: "body" });
  }
}

/** @throws ApiError invalid_json */
export function asObject(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new ApiError("invalid_json", "The body must be a JSON object with the parameters as its keys", {
    in: "body",
  });
}
