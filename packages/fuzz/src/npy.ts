/**
 * Changes of .npy files that know the header: the tokens of its dictionary, its length, its version, and data that fits the new header
 * or does not.
 */
import { type Change, changeBytes, concat } from "./bytes.ts";
import { hostileText, numberTexts } from "./text.ts";

const descriptions = [
  "<f4",
  "<f8",
  "<c8",
  "<c16",
  "|i1",
  "<i2",
  "|u1",
  "<u4",
  ">f4",
  ">c16",
  "|O",
  "<f2",
  "<U9",
  "=f4",
  "<i8",
  "<c8 ",
  "c8",
  "",
];

/** Makes a version 1.0 file with this dictionary. */
function withHeader(dictionary: string, data: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(dictionary).subarray(0, 0xffff);
  return concat(Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, text.length & 0xff, text.length >> 8), text, data);
}

export const changeNpy: Change = (bytes, dice, other) => {
  if (dice.chance(0.4) || bytes.length < 16) return changeBytes(bytes, dice, other);
  const at = 10 + bytes[8] + 256 * bytes[9];
  const data = dice.chance(0.2) ? bytes.slice(at, at + dice.below(bytes.length - at + 1)) : bytes.subarray(at);
  const header = String.fromCharCode(...bytes.subarray(10, at));
  const change = dice.below(6);
  if (change === 0) return withHeader(header.replace(/'[<>|][^']*'/, `'${dice.pick(descriptions)}'`), data);
  if (change === 1)
    return withHeader(
      header.replace(/\d+(?=[,)])/, () => (dice.chance(0.5) ? dice.pick(numberTexts) : hostileText(dice))),
      data,
    );
  if (change === 2) return withHeader(header.replace("False", dice.pick(["True", "true", "0", "None", hostileText(dice)])), data);
  if (change === 3) return withHeader(header.replace(/\(.*\)/, `(${"1, ".repeat(dice.length(4000))})`), data);
  if (change === 4) return withHeader(header.repeat(dice.length(40)), data);
  const tokens = header.split(/\b/);
  tokens[dice.below(tokens.length)] = hostileText(dice);
  return withHeader(tokens.join(""), data);
};
