/** Base64 (RFC 4648, section 4, with padding) of bytes, strict and in pieces, for every JavaScript engine. */

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const codes = new TextEncoder().encode(alphabet);
const padding = 61;
/** The value of each character code below 128; 255 for characters that base64 doesn't have. */
const values = new Uint8Array(128).fill(255);
codes.forEach((code, value) => {
  values[code] = value;
});

/** Number of characters of the base64 of so many bytes. */
export const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3);

/** The bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(base64Length(bytes.length));
  let to = 0;
  for (let from = 0; from < bytes.length; from += 3) {
    const left = bytes.length - from;
    const word = (bytes[from] << 16) | (left > 1 ? bytes[from + 1] << 8 : 0) | (left > 2 ? bytes[from + 2] : 0);
    text[to++] = codes[word >> 18];
    text[to++] = codes[(word >> 12) & 63];
    text[to++] = left > 1 ? codes[(word >> 6) & 63] : padding;
    text[to++] = left > 2 ? codes[word & 63] : padding;
  }
  return new TextDecoder().decode(text);
}

/** The `count` bytes of a base64 text. Undefined if the text is not the base64 of so many bytes: nothing is allocated if its length is wrong. */
export function fromBase64(text: string, count: number): Uint8Array<ArrayBuffer> | undefined {
  if (text.length !== base64Length(count)) return undefined;
  const bytes = new Uint8Array(count);
  const end = Math.ceil(count / 3);
  for (let group = 0; group < end; group++) {
    const left = count - 3 * group;
    let word = 0;
    for (let i = 0; i < 4; i++) {
      const code = text.charCodeAt(4 * group + i);
      if (i > left) {
        if (code !== padding) return undefined;
        continue;
      }
      const value = code < 128 ? values[code] : 255;
      if (value === 255) return undefined;
      word |= value << (18 - 6 * i);
    }
    // Bits beyond the last byte must be 0, so that equal arrays have equal texts.
    if ((left === 1 && (word & 0xffff) !== 0) || (left === 2 && (word & 0xff) !== 0)) return undefined;
    bytes[3 * group] = word >> 16;
    if (left > 1) bytes[3 * group + 1] = word >> 8;
    if (left > 2) bytes[3 * group + 2] = word;
  }
  return bytes;
}
