/** Changes of JSON that know its structure: wrong types, missing and duplicate keys, huge numbers and deep nesting. */
import { type Change, changeBytes } from "./bytes.ts";
import type { Dice } from "./dice.ts";
import { hostileText, numberTexts } from "./text.ts";

/** JSON texts that can replace a value. */
const values: readonly string[] = [
  "null",
  "true",
  "false",
  "[]",
  "{}",
  "[[]]",
  '""',
  "-1",
  "0",
  "-0",
  "1",
  "2",
  "0.5",
  "1e308",
  "1e309",
  "-1e309",
  "5e-324",
  "1e-30",
  "1e15",
  "4097",
  "16777217",
  "4294967296",
  "9007199254740993",
  '{"__proto__":{"a":1}}',
  '{"constructor":1}',
  '{"length":4294967295}',
  "[null]",
  "[1e309]",
  `[${"0,".repeat(5000)}0]`,
];

interface Slot {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

function slotsOf(value: unknown, slots: Slot[] = []): Slot[] {
  if (typeof value === "object" && value !== null) {
    for (const key of Object.keys(value)) {
      slots.push({ parent: value as Record<string, unknown>, key });
      slotsOf((value as Record<string, unknown>)[key], slots);
    }
  }
  return slots;
}

/** Placeholder for a raw text until the document is written. */
const mark = "\uE000";

/** Changes one to three values, keys or entries of the JSON `text`. */
function changeStructure(text: string, dice: Dice): string {
  const root: { value: unknown } = { value: JSON.parse(text) };
  const raw: string[] = [];
  const place = (json: string): string => `${mark}${raw.push(json) - 1}${mark}`;
  for (let n = dice.length(3); n > 0; n--) {
    const slots = slotsOf(root);
    if (slots.length === 0) break;
    const { parent, key } = dice.pick(slots);
    const old = parent[key];
    const change = dice.below(8);
    if (change === 0 && Array.isArray(parent)) parent.splice(Number(key), 1);
    else if (change === 0) delete parent[key];
    else if (change === 1) parent[key] = hostileText(dice);
    else if (change === 2) parent[key] = place(dice.pick(numberTexts).trim() || "0");
    else if (change === 3 && typeof old === "number") parent[key] = old * dice.pick([-1, 0.5, 2, 1e-30, 1e30, 1 + 2 ** -30]);
    else if (change === 4 && Array.isArray(old)) parent[key] = [...old, ...old, ...old.slice(0, dice.below(old.length + 1))];
    else if (change === 5 && Array.isArray(parent) === false) parent[hostileText(dice)] = old;
    else if (change === 6) parent[key] = place(dice.pick(["[", '{"a":'].map((open) => open.repeat(dice.length(20_000)))));
    else parent[key] = place(dice.pick(values));
  }
  const written = JSON.stringify(root.value) ?? "";
  return written.replace(new RegExp(`"?${mark}(\\d+)${mark}"?`, "g"), (_, i) => raw[Number(i)] ?? "");
}

/** Changes of the text that a parsed document can't represent. */
function changeText(text: string, dice: Dice): string {
  const keys = [...text.matchAll(/"[A-Za-z]+":/g)];
  const at = keys.length > 0 ? dice.pick(keys).index : 0;
  const change = dice.below(6);
  if (change === 0) return `\uFEFF${text}`;
  if (change === 1)
    return `${text.slice(0, at)}${dice.pick(['"__proto__":1,', '"id":1,"id":2,', "// a\n", ",", '"a" "b"'])}${text.slice(at)}`;
  if (change === 2) return text.replaceAll('"', "'");
  if (change === 3) return `${text}${dice.pick([text, ",", "\0", "}", "x".repeat(1000)])}`;
  if (change === 4) return `${dice.pick(["[", '{"tasks":', '[{"a":'].map((open) => open.repeat(dice.length(100_000))))}`;
  return text.slice(0, at) + text.slice(at + dice.length(40));
}

export const changeJson: Change = (bytes, dice, other) => {
  if (dice.chance(0.2)) return changeBytes(bytes, dice, other);
  const text = new TextDecoder().decode(bytes);
  return new TextEncoder().encode(dice.chance(0.2) ? changeText(text, dice) : changeStructure(text, dice));
};
