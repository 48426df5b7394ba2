import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import WORDS from "../../../tools/passwords/short-list.json" with { type: "json" };

test("the list has 512 words, sorted, each once, of four to seven small letters", () => {
  expect(WORDS).toHaveLength(512);
  expect(WORDS).toEqual([...new Set(WORDS)].sort());
  for (const word of WORDS) expect(word).toMatch(/^[a-z]{4,7}$/);
});

test("the first four letters name the word", () => {
  expect(new Set(WORDS.map((word) => word.slice(0, 4))).size).toBe(512);
});

test("no word turns into another by one letter changed, added or left out", () => {
  const gaps = WORDS.flatMap((word) => Array.from(word, (_, i) => [word.slice(0, i), word.slice(i + 1)]));
  const changed = gaps.map(([before, after]) => `${before}?${after}`);
  expect(new Set(changed).size).toBe(changed.length);
  const leftOut = gaps.map(([before, after]) => `${before}${after}`);
  expect(leftOut.filter((form) => WORDS.includes(form))).toEqual([]);
});

test("the words have five and a half letters on average at most", () => {
  expect(WORDS.join("").length / WORDS.length).toBeLessThanOrEqual(5.5);
});

test("no word is one of two that sound alike or are spelled in two ways", () => {
  const alike =
    "armor armour ball bawl bare barrel base bass beach bear beech beet bell belle berry boar board bored bough boulder " +
    "bowl bread bridal bridle bury canvas caret carrot ceiling cellar cent cereal chalk chilli chord chute clause coarse " +
    "color colour coral cord course cymbal deer desert dessert dough ewes fair fare feat fiber fibre flea fleece floor " +
    "flour flower fore fort four fowl fur gait gate gorilla gray great grey grocer guessed guest hair hall harbor hare " +
    "heart heel herring hole horse hour idle idol isle jeans jewel kernel knight knot lamb lead leaf leak leek llama " +
    "loan loot lute lynx mail maid main maize manor mantel mantle mask maze meat medal metal meteor miner moat moose " +
    "muscle mussel mustard nickel night nose oars odor ores pail pair pajamas palette peak pear pearl pedal peel petal " +
    "pier pigeon plain plane plate plow plum pole pore pray prince profit quartz rain read reed reign ring road roll root " +
    "rose sail sauce sale scene seam seed sell serf shoe sight sink site sleigh sole stair stake stalk star steak " +
    "steal steel stork story suite surf sundae sword symbol tail tale team tear theater theatre throne thyme tide tire " +
    "toad toes tyre vain vane veil vein waist waste wave weather week whale wheel whole wine witch wood wrap yogurt yolk";
  const spoken = new Set(alike.split(" "));
  expect(WORDS.filter((word) => spoken.has(word))).toEqual([]);
});

test("the list never changes: old passphrases would be worth less than was said", () => {
  expect(createHash("sha256").update(WORDS.join("\n")).digest("hex")).toBe(
    "f86dcda9ddfaf5a59adfdd96764dc94ca23e547fcb842e70249334764a5ae23c",
  );
});
