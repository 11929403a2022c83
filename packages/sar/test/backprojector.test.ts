import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { describe, expect, it } from "vitest";
import { backproject } from "../src/backprojection/backprojector.ts";
import { compressProfiles } from "../src/backprojection/profiles.ts";
import { backprojectReference } from "../src/backprojection/reference.ts";
import { signalToErrorDb } from "../src/backprojection/ser.ts";
import * as scenes from "./backprojection-scenes.ts";

describe("x", () => {
  it("runs", async () => {
    console.log(Object.keys(scenes));
  });
});
