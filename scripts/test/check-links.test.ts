/** Tests that dead links are found, and only these. */
import { expect, it } from "vitest";
import { deadLinks } from "../check-links.mjs";

const file = (path: string, text = "") => ({ path, text: () => text });
const found = (text: string): string[] =>
  deadLinks([file("docs/here.md", text), file("docs/there.md", "# One `two` three\n"), file("packages/a/src/x.ts")]);

it.each([
  "[a](there.md)",
  "[a](there.md#one-two-three)",
  "[a](../packages/a)",
  "[a](../packages/a/)",
  "[a](https://example.org/x?y#z)",
  '<img src="../docs/there.md">',
  "`[a](nowhere.md)`",
  "```\n[a](nowhere.md)\n```",
  "# Here\n\n[a](#here)",
])("accepts %s", (text) => expect(found(text)).toEqual([]));

it.each([
  ["[a](nowhere.md)", "nowhere.md"],
  ["[a](there.md#four)", "there.md#four"],
  ["[a](../packages/b)", "../packages/b"],
  ["[a](http://example.org)", "http://example.org"],
  ["[a](#nowhere)", "#nowhere"],
  ["[a]: nowhere.md", "nowhere.md"],
  ['<img src="nowhere.png">', "nowhere.png"],
  ["[`a`](nowhere.md)", "nowhere.md"],
])("finds %s", (text, link) => expect(found(text)).toEqual([`docs/here.md: dead link ${link}`]));
