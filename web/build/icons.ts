// Draws the icons of the installed pages from favicon.svg. Run by hand (`npm run icons`) after that changes: the
// pictures are committed, so that every build has the same bytes.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import sharp from "sharp";

const FOLDER = fileURLToPath(new URL("../public/", import.meta.url));
const drawing = readFileSync(`${FOLDER}favicon.svg`, "utf8");
// Systems cut a maskable icon to their own shape; the mark is within the four fifths that all of them keep.
const withoutCorners = drawing.replace(' rx="8"', "");

await draw(drawing, "icon-192", 192);
await draw(drawing, "icon-512", 512);
await draw(withoutCorners, "icon-maskable", 512);

await drawPreview();

/**
 * The picture that chats show beside a link: the mark, and the way of a secret. Without words, which would be in one
 * language.
 */
async function drawPreview(): Promise<void> {
  const mark = drawing.replace(/<\/?svg[^>]*>/g, "");
  const station = (x: number, color: string, path: string) =>
    `<circle cx="${x}" cy="430" r="62" fill="${color}"/>
     <g transform="translate(${x - 36} 394) scale(3)" fill="none" stroke="#fff" stroke-width="1.75"
       stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></g>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
    <rect width="1200" height="630" fill="#f6f5f1"/>
    <g transform="translate(488 88) scale(7)">${mark}</g>
    <path d="M380 430H820" stroke="#868c92" stroke-width="6" stroke-dasharray="2 18" stroke-linecap="round"/>
    ${station(318, "#8a4b00", "M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11M12 15v2")}
    ${station(600, "#0f5e56", "M4 12v7h16v-7M12 15V4M8 8l4-4 4 4")}
    ${station(882, "#1a6333", "M4 7h16v11H4zM4 7l8 6 8-6")}
  </svg>`;
  await sharp(Buffer.from(svg))
    .png({ palette: true, colors: 64, compressionLevel: 9 })
    .toFile(`${FOLDER}preview.png`);
}

async function draw(svg: string, name: string, size: number): Promise<void> {
  const density = (72 * size) / 32;
  const picture = sharp(Buffer.from(svg), { density }).resize(size, size);
  await picture.png({ palette: true, colors: 64, compressionLevel: 9 }).toFile(`${FOLDER}${name}.png`);
}
