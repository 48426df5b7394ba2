import { expect, test } from "vitest";
import { bytesOf, picture, withEverything, withSize } from "../tools/image/support/made.ts";
import { addMember } from "../support/members.ts";
import { withServer } from "../support/with-server.ts";

const service = withServer();

function convert(query: string, body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  return service.request(`/api/tools/image-convert?${query}`, { method: "POST", body, headers });
}

test("turns, crops and fits into bytes over REST, and tells the quality", async () => {
  const image = await bytesOf(picture(300, 200).png());
  const made = await convert("format=jpeg&rotate=-90&crop=0,0,100,200&bytes=5000", image);
  const facts = ["tool-width", "tool-height", "tool-quality"].map((name) => Number(made.headers.get(name)));
  expect(facts).toEqual([100, 200, expect.any(Number)]);
  expect((await made.arrayBuffer()).byteLength).toBeLessThanOrEqual(5000);
});

test("takes the metadata out and nothing else, as a file and in the envelope", async () => {
  const { png } = await withEverything();
  const stripped = await convert("metadata=strip&filename=holiday.png", png);
  expect(stripped.headers.get("content-disposition")).toBe('attachment; filename="holiday.png"');
  expect(stripped.headers.get("content-type")).toBe("image/png");
  const answer = await convert("metadata=strip", png, { accept: "application/json" });
  expect(await answer.json()).toMatchObject({ format: "png", sourceFormat: "png", name: "image.png" });
});

test.each([
  ["metadata=strip&format=png", "format"],
  ["metadata=strip&width=10", "width"],
  ["metadata=strip&crop=0,0,1,1", "crop"],
  ["metadata=strip&lossless=true", "lossless"],
  ["metadata=strip&quality=50", "quality"],
  ["metadata=strip&background=%23000", "background"],
  ["metadata=keep", "metadata"],
  ["format=png&linear=true", "linear"],
  ["format=png&rotate=45", "rotate"],
  ["format=png&crop=1,2,3", "crop"],
  ["format=png&crop=0,0,1000,1", "crop"],
  ["format=png&bytes=0", "bytes"],
])("answers %s with 400 and the name of the parameter", async (query, parameter) => {
  const answer = await convert(query, await bytesOf(picture(20, 20).png()));
  expect(await answer.json()).toMatchObject({ status: 400, code: "invalid_parameter", parameter });
});

test("answers a size that cannot be reached with 413", async () => {
  const answer = await convert("format=jpeg&bytes=10", await bytesOf(picture(20, 20).png()));
  expect(await answer.json()).toMatchObject({
    status: 413,
    code: "result_too_large",
    limit: "bytes",
    value: 10,
  });
});

test("converts twice as many pixels for members", async () => {
  const { bearer } = await addMember(service);
  // Of such a picture only the header is read.
  const image = await bytesOf(picture(20, 20).png());
  const codeOf = async (width: number, headers: Record<string, string>) => {
    const answer = await convert("format=png", withSize(image, width, 10_000), headers);
    const { code, value } = (await answer.json()) as { code: string; value?: number };
    return [code, value];
  };
  expect(await codeOf(5001, {})).toEqual(["too_many_pixels", 50_000_000]);
  const member = { authorization: bearer };
  expect(await codeOf(10_001, member)).toEqual(["too_many_pixels", 100_000_000]);
  // Its pixels are not there, which a decoder finds out.
  expect(await codeOf(10_000, member)).toEqual(["damaged_file", undefined]);
});
