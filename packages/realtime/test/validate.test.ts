/** Tests every rule of task sets by one violation, and the path that the error names. */
import { isRadarError } from "@dechirp/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkTaskSet } from "../src/index.ts";
import { maxTasks } from "../src/validate.ts";

const good = {
  units: 4,
  rho: 1.1,
  tasks: [
    { id: "a", wcet: { 1: 10, 2: 6 } },
    { id: "b", wcet: { 1: 5 } },
  ],
};
/** `good` with the second task changed. */
const second = (change: object): object => ({ ...good, tasks: [good.tasks[0], { ...good.tasks[1], ...change }] });

function refusedField(value: unknown): unknown {
  try {
    checkTaskSet(value);
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    expect(error.message).toContain(String(error.fields["field"]));
    return error.fields["field"];
  }
  return "accepted";
}

describe("checkTaskSet", () => {
  it("accepts JSON, with sizes as strings, and keeps unknown keys", () => {
    const text =
      '{ "units": 19, "note": "x", "tasks": [{ "id": "fft", "wcet": { "4": 2501, "1": 9101, "40": 900 }, "samples": 16777216, "count": 10 }] }';
    expect(checkTaskSet(JSON.parse(text))).toEqual({
      units: 19,
      note: "x",
      tasks: [{ id: "fft", wcet: { 1: 9101, 4: 2501, 40: 900 }, samples: 16777216, count: 10 }],
    });
  });

  it("copies", () => {
    const sizes = [1, 2];
    const given = { units: 2, tasks: [{ id: "a", wcet: { 1: 10, 2: 6 }, sizes }] };
    const set = checkTaskSet(given);
    sizes.push(3);
    given.tasks[0].wcet[1] = -1;
    given.tasks.length = 0;
    expect(set.tasks[0]).toEqual({ id: "a", wcet: { 1: 10, 2: 6 }, sizes: [1, 2] });
  });

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "the task set"],
    ["a list", [], "the task set"],
    ["no units", { tasks: good.tasks }, "units"],
    ["units as text", { ...good, units: "4" }, "units"],
    ["half a unit", { ...good, units: 1.5 }, "units"],
    ["too many units", { ...good, units: 4097 }, "units"],
    ["rho below 1", { ...good, rho: 0.99 }, "rho"],
    ["rho NaN", { ...good, rho: Number.NaN }, "rho"],
    ["rho infinite", { ...good, rho: Number.POSITIVE_INFINITY }, "rho"],
    ["rho null", { ...good, rho: null }, "rho"],
    ["tasks no list", { ...good, tasks: { length: 1 } }, "tasks"],
    ["no tasks", { ...good, tasks: [] }, "tasks"],
    ["too many tasks", { ...good, tasks: new Array(maxTasks + 1) }, "tasks"],
    ["a hole", { ...good, tasks: new Array(3) }, "tasks[0]"],
    ["a null task", { ...good, tasks: [null] }, "tasks[0]"],
    ["no id", second({ id: undefined }), "tasks[1].id"],
    ["an empty id", second({ id: "" }), "tasks[1].id"],
    ["a long id", second({ id: "x".repeat(201) }), "tasks[1].id"],
    ["an id twice", second({ id: "a" }), "tasks[1].id"],
    [
      "an id like a copy's",
      {
        units: 1,
        tasks: [
          { ...good.tasks[0], count: 2 },
          { ...good.tasks[1], id: "a/2" },
        ],
      },
      "tasks[1].id",
    ],
    ["no wcet", second({ wcet: undefined }), "tasks[1].wcet"],
    ["a list as wcet", second({ wcet: [0, 10] }), "tasks[1].wcet"],
    ["no wcet of 1", second({ wcet: { 2: 5 } }), "tasks[1].wcet[1]"],
    ["a size 0", second({ wcet: { 0: 1, 1: 5 } }), "tasks[1].wcet's key"],
    ["a half size", second({ wcet: { 1: 5, "2.5": 5 } }), "tasks[1].wcet's key"],
    ["a size 01", second({ wcet: { 1: 5, "01": 5 } }), "tasks[1].wcet's key"],
    ["a huge size", second({ wcet: { 1: 5, 4097: 5 } }), "tasks[1].wcet's key"],
    ["__proto__", JSON.parse('{"units":1,"tasks":[{"id":"a","wcet":{"1":5,"__proto__":{"2":1}}}]}'), "tasks[0].wcet's key"],
    ["wcet as text", second({ wcet: { 1: 5, 4: "3" } }), "tasks[1].wcet[4]"],
    ["wcet 0", second({ wcet: { 1: 0 } }), "tasks[1].wcet[1]"],
    ["wcet NaN", second({ wcet: { 1: Number.NaN } }), "tasks[1].wcet[1]"],
    ["wcet infinite", second({ wcet: { 1: Number.POSITIVE_INFINITY } }), "tasks[1].wcet[1]"],
    ["a rho of its own", second({ rho: 0 }), "tasks[1].rho"],
    ["sizes no list", second({ sizes: 1 }), "tasks[1].sizes"],
    ["no sizes", second({ sizes: [] }), "tasks[1].sizes"],
    ["1 not permitted", second({ wcet: { 1: 5, 2: 3 }, sizes: [2] }), "tasks[1].sizes[0]"],
    ["a size twice", second({ sizes: [1, 1] }), "tasks[1].sizes[1]"],
    ["sizes in descending order", second({ wcet: { 1: 5, 2: 3 }, sizes: [2, 1] }), "tasks[1].sizes[1]"],
    ["a size without wcet", second({ sizes: [1, 3] }), "tasks[1].sizes[1]"],
    ["a size beyond the units", second({ wcet: { 1: 5, 5: 3 }, sizes: [1, 5] }), "tasks[1].sizes[1]"],
    ["deadline 0", second({ deadline: 0 }), "tasks[1].deadline"],
    ["period below 0", second({ period: -1 }), "tasks[1].period"],
    ["count 0", second({ count: 0 }), "tasks[1].count"],
    ["count as text", second({ count: "2" }), "tasks[1].count"],
    ["too many copies", second({ count: maxTasks }), "tasks[1].count"],
  ])("rejects %s", (_, value, field) => {
    expect(refusedField(value)).toBe(field);
  });

  it("returns a set or throws one error that names a field, for any value", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (a, b, c) => {
        expect(refusedField(a)).not.toBe("accepted");
        expect(typeof refusedField({ units: 3, tasks: [{ id: "a", wcet: { 1: 2, 2: a }, sizes: b, count: c }] })).toBe("string");
      }),
      { numRuns: 500, seed: 3 },
    );
  });
});
