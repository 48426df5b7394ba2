// Draws the icons of the installed pages from favicon.svg. Run by hand (`npm run icons`) after that has changed: the
// pictures are kept with the sources, so that every build has the same bytes.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import sharp from "sharp";

const FOLDER = fileURLToPath(new URL("../public/", import.meta.url));
const drawing = readFileSync(`${FOLDER}favicon.svg`, "utf8");
// Systems cut a maskable icon to a shape of their own; the mark is within the four fifths that all of them keep.
const withoutCorners = drawing.replace(' rx="8"', "");

await draw(drawing, { name: "icon-192", size: 192 });
await draw(drawing, { name: "icon-512", size: 512 });
await draw(withoutCorners, { name: "icon-maskable", size: 512 });

async function draw(svg: string, { name, size }: { name: string; size: number }): Promise<void> {
  const density = (72 * size) / 32;
  const picture = sharp(Buffer.from(svg), { density }).resize(size, size);
  await picture.png({ palette: true, colors: 64, compressionLevel: 9 }).toFile(`${FOLDER}${name}.png`);
}
