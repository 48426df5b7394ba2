import { expect, test } from "vitest";
import { contentDisposition } from "../../../adapters/trpc/answer/answer-parts.ts";

test.each([
  ["report.pdf", 'attachment; filename="report.pdf"'],
  ["résumé 2026.pdf", `attachment; filename="resume 2026.pdf"; filename*=UTF-8''r%C3%A9sum%C3%A9%202026.pdf`],
  // The two names of RFC 6266, section 5, and RFC 8187, section 3.2.3.
  ["€ rates", `attachment; filename="_ rates"; filename*=UTF-8''%E2%82%AC%20rates`],
  [
    "£ and € rates",
    `attachment; filename="_ and _ rates"; filename*=UTF-8''%C2%A3%20and%20%E2%82%AC%20rates`,
  ],
  ["Straße.txt", `attachment; filename="Strasse.txt"; filename*=UTF-8''Stra%C3%9Fe.txt`],
  ["한글.txt", `attachment; filename="__.txt"; filename*=UTF-8''%ED%95%9C%EA%B8%80.txt`],
  ["🔑.txt", `attachment; filename="_.txt"; filename*=UTF-8''%F0%9F%94%91.txt`],
])("offers %j as %s", (name, header) => {
  expect(contentDisposition(name)).toBe(header);
});

test("escapes in filename* all that is no attr-char of RFC 8187", () => {
  expect(contentDisposition("é!#$&+-.^_`|~ '()*%;,=@[]{}")).toMatch(
    /filename\*=UTF-8''%C3%A9!%23%24%26%2B-\.%5E_%60%7C~%20%27%28%29%2A%25%3B%2C%3D%40%5B%5D%7B%7D$/,
  );
});

test("hides a percent sign that some browsers would take for an escape", () => {
  expect(contentDisposition("100%.txt")).toBe('attachment; filename="100%.txt"');
  expect(contentDisposition("%2e%2E.txt")).toBe(
    `attachment; filename="_2e_2E.txt"; filename*=UTF-8''%252e%252E.txt`,
  );
});

test("puts nothing of a name outside the quotes", () => {
  expect(contentDisposition('a"; filename="b')).toBe('attachment; filename="a_; filename=_b"');
  expect(contentDisposition("a\\")).toBe('attachment; filename="a_"');
});

test("cannot be made to start another header or name a folder", () => {
  expect(contentDisposition("a\r\nSet-Cookie: b=1")).toBe('attachment; filename="a__Set-Cookie: b=1"');
  expect(contentDisposition("é\r\n\r\n<script>")).toBe(
    `attachment; filename="e____<script>"; filename*=UTF-8''%C3%A9____%3Cscript%3E`,
  );
  expect(contentDisposition("../\u202ea\u2028\ud800")).toBe('attachment; filename="..__a__"');
});

test("does not fold a fullwidth slash or quotation mark into a real one", () => {
  expect(contentDisposition("a\uff0fb\uff02c\uff3cd")).toMatch(/^attachment; filename="a_b_c_d"; /);
});

test("leaves the parameter out for an empty name", () => {
  expect(contentDisposition("")).toBe("attachment");
});
