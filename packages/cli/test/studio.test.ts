/** `dechirp studio`: what its server hands out and refuses, what the command prints and how it ends, and the page in a browser. */
import { copyFile, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { npyHeader, openUrl } from "@dechirp/io";
import { describe, expect, it, onTestFinished } from "vitest";
import { launchBrowser, newPage } from "../../fft-gpu/scripts/browser.mjs";
import { radarsatFiles } from "../../io/test/radarsat-builder.ts";
import { run } from "../src/index.ts";
import { dechirp, temporaryFolder } from "./command.ts";
import { start } from "./executable.ts";
import { difference, focused, imageAndProgram, imageOfProgram, pixelsAt } from "./page-programs.ts";

interface Running {
  readonly url: string;
  readonly files: readonly { readonly path: string; readonly url: string }[];
  /** Ends it as Ctrl-C does. */
  end(): Promise<{ readonly code: number; readonly stderr: string }>;
}

/** Runs the command in this process until the test ends. */
async function studio(...args: string[]): Promise<Running> {
  const controller = new AbortController();
  let stderr = "";
  let ended: Promise<number> | undefined;
  const report = await new Promise<Running>((resolve, reject) => {
    const io = {
      stdout: { write: (text: string) => resolve(JSON.parse(text)) },
      stderr: { write: (text: string) => (stderr += text) },
      signal: controller.signal,
      env: {},
    };
    ended = run(["studio", ...args, "--json"], io);
    ended.then(() => reject(new Error(stderr)));
  });
  const end = async () => {
    controller.abort("SIGINT");
    return { code: await ended!, stderr };
  };
  onTestFinished(async () => void (await end()));
  return { ...report, end };
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request whose path is not made normal, as that of `fetch` is. */
const ask = (address: string, path: string, options: { method?: string; headers?: Record<string, string> } = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address);
    const sent = request({ hostname, port, path, agent: false, ...options }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    sent.on("error", reject).end();
  });

/** A folder `given` with files, hidden files and links, beside a secret file. */
async function folders(): Promise<{ readonly given: string; readonly secret: string }> {
  const folder = await temporaryFolder();
  const given = join(folder, "given");
  const secret = join(folder, "secret.txt");
  await mkdir(join(given, "inner"), { recursive: true });
  await writeFile(secret, "secret");
  await writeFile(join(given, "a #1?.html"), "<script>1</script>");
  await writeFile(join(given, "inner", "b.bin"), "0123456789");
  await writeFile(join(given, ".hidden"), "secret");
  await symlink(secret, join(given, "out.txt"));
  await symlink(folder, join(given, "up"));
  await symlink(join(given, "inner", "b.bin"), join(given, "within"));
  return { given, secret };
}

/** A folder `pass` with the AGC file of a RADARSAT-1 pass, and a scene of it in `pass/scenes/one`. */
async function radarsatPass() {
  const pass = join(await temporaryFolder(), "pass");
  const scene = join(pass, "scenes", "one");
  const files = radarsatFiles({ lines: 512, cells: 500, pulseSeconds: 5e-6 });
  await mkdir(scene, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(name.startsWith("AGC") ? pass : scene, name), bytes);
  return { pass, scene, files };
}

describe("the server", () => {
  it("sends the studio with the headers of isolation and a policy that the page states too", async () => {
    const { url } = await studio();
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
    const stated = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(await page.text())![1].replaceAll("&#39;", "'");
    expect(page.headers.get("content-security-policy")).toBe(`${stated}; frame-ancestors 'none'`);
    expect((await fetch(new URL("service-worker.js", url))).headers.get("content-type")).toMatch(/^text\/javascript/);
  });

  it("hands out a file by ranges, as data", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "a b.html");
    await writeFile(file, "0123456789");
    const { url, files } = await studio(file);
    expect(files).toEqual([{ path: file, url: new URL("files/a%20b.html", url).href }]);
    expect(new URLSearchParams(new URL(url).hash.replace("#/focus?", "")).get("url")).toBe(files[0].url);
    const part = await fetch(files[0].url, { headers: { Range: "bytes=2-4" } });
    expect({ status: part.status, text: await part.text() }).toEqual({ status: 206, text: "234" });
    expect(Object.fromEntries(part.headers)).toMatchObject({
      "content-range": "bytes 2-4/10",
      "content-type": "application/octet-stream",
      "content-disposition": "attachment",
    });
    expect(await (await fetch(files[0].url, { headers: { Range: "bytes=0-0" } })).text()).toBe("0");
    expect((await fetch(files[0].url, { headers: { Range: "bytes=10-" } })).status).toBe(416);
    const head = await fetch(files[0].url, { method: "HEAD" });
    expect({ length: head.headers.get("content-length"), text: await head.text() }).toEqual({ length: "10", text: "" });
    const access = await openUrl(files[0].url, { blockBytes: 3 });
    expect(new TextDecoder().decode(await access.read(1, 8))).toBe("12345678");
    await access.close();
  });

  it("lists the files of a folder, and nothing that is hidden or outside", async () => {
    const { given } = await folders();
    const { files, url } = await studio(given);
    expect(files[0].url).toBe(new URL("files/given/", url).href);
    const list = await (await fetch(files[0].url)).json();
    expect(list).toEqual({
      format: "dechirp.files",
      version: 1,
      files: [
        { path: "a #1?.html", bytes: 18 },
        { path: "inner/b.bin", bytes: 10 },
        { path: "within", bytes: 10 },
      ],
      places: [{ path: "", place: given }],
    });
    for (const { path, bytes } of list.files) {
      const encoded = path.split("/").map(encodeURIComponent).join("/");
      expect(await (await fetch(files[0].url + encoded)).text()).toHaveLength(bytes);
    }
    expect(await (await fetch(`${files[0].url}inner/`)).json()).toMatchObject({
      files: [{ path: "b.bin", bytes: 10 }],
      places: [{ path: "", place: join(given, "inner") }],
    });
  });

  it("lists several things together, with a name of its own for each", async () => {
    const { given, secret } = await folders();
    const { url, files } = await studio(secret, given, secret);
    expect(files.map(({ url }) => new URL(url).pathname)).toEqual(["/files/secret.txt", "/files/given/", "/files/secret.txt-2"]);
    const list = await (await fetch(new URL("files/", url))).json();
    expect(list.files.map(({ path }: { path: string }) => path)).toEqual([
      "given/a #1?.html",
      "given/inner/b.bin",
      "given/within",
      "secret.txt",
      "secret.txt-2",
    ]);
    expect(list.places).toEqual([
      { path: "secret.txt", place: secret },
      { path: "given", place: given },
      { path: "secret.txt-2", place: secret },
    ]);
    expect(new URLSearchParams(new URL(url).hash.replace("#/focus?", "")).get("url")).toBe(new URL("/files/", url).href);
  });

  it("opens array data in the task that reads it", async () => {
    const folder = await temporaryFolder();
    const cube = join(folder, "cube.npy");
    await writeFile(cube, Buffer.concat([npyHeader({ dtype: "c64", shape: [2, 3, 4] }), new Uint8Array(8 * 24)]));
    await writeFile(join(folder, "notes.txt"), "no recording");
    await dechirp(["simulate", "--preset", "spotlight", "--out", folder]);
    const taskOf = async (...names: string[]): Promise<string> => {
      const { url } = await studio(...names.map((name) => join(folder, name)));
      return /#\/(\w+)\?source=url&url=/.exec(url)![1];
    };
    expect(await taskOf("cube.npy")).toBe("adaptive");
    expect(await taskOf("spotlight.cphd")).toBe("focus");
    expect(await taskOf("cube.npy", "spotlight.cphd")).toBe("focus");
    expect(await taskOf("notes.txt")).toBe("focus");
    // A folder that is no recording itself has the task of the recordings in it.
    await mkdir(join(folder, "arrays"));
    await copyFile(cube, join(folder, "arrays", "cube.npy"));
    await writeFile(join(folder, "arrays", "notes.txt"), "no recording");
    expect(await taskOf("arrays")).toBe("adaptive");
    expect(await taskOf("arrays", "notes.txt")).toBe("adaptive");
    expect(await taskOf(".")).toBe("focus");
  });

  it("hands out what a reader looks for above a given folder, and nothing beside it", async () => {
    const { pass, scene, files: written } = await radarsatPass();
    await writeFile(join(pass, "beside.txt"), "secret");
    await writeFile(join(pass, "scenes", "beside.txt"), "secret");
    const agc = { path: "AGC_attenuation_values.mat", bytes: written["AGC_attenuation_values.mat"].length };
    const blocks = ["CD_run_params.mat", "CDdata1.mat"] as const;
    const sizes = blocks.map((name) => ({ path: `scenes/one/${name}`, bytes: written[name].length }));
    // The folder of the recording, a folder above it, and both.
    for (const given of [scene, join(pass, "scenes")]) {
      const { url, files } = await studio(given);
      expect(files[0].url).toBe(new URL("files/pass/", url).href);
      const list = await (await fetch(files[0].url)).json();
      expect(list.files.filter(({ path }: { path: string }) => !path.endsWith("scenes/beside.txt"))).toEqual([agc, ...sizes]);
      expect(list.places).toEqual([
        { path: given === scene ? "scenes/one" : "scenes", place: given },
        { path: agc.path, place: join(pass, agc.path) },
      ]);
      expect((await ask(url, "/files/pass/AGC_attenuation_values.mat")).status).toBe(200);
      expect((await ask(url, "/files/pass/scenes/one/CDdata1.mat")).status).toBe(200);
      for (const path of ["/files/pass/beside.txt", "/files/pass/scenes/two/", "/files/pass/AGC_attenuation_values.mat/"])
        expect((await ask(url, path)).status).toBe(404);
      expect((await ask(url, "/files/pass/scenes/beside.txt")).status).toBe(given === scene ? 404 : 200);
    }
    const { url } = await studio(scene, pass);
    expect((await (await fetch(new URL("files/", url))).json()).files).toHaveLength(8);
    // A folder with its AGC file needs nothing else.
    await writeFile(join(scene, agc.path), written["AGC_attenuation_values.mat"]);
    expect((await studio(scene)).files[0].url).toMatch(/\/files\/one\/$/);
  });

  it("reads nothing else", async () => {
    const { given, secret } = await folders();
    const { url } = await studio(given);
    const ways = [
      "/files/given/../../secret.txt",
      "/files/given/../secret.txt",
      "/files/given/%2e%2e/secret.txt",
      "/files/given/%2e%2e%2fsecret.txt",
      "/files/given/..%5csecret.txt",
      "/files/given/inner/../../../secret.txt",
      "/files/given/out.txt",
      "/files/given/up/secret.txt",
      "/files/given/up/",
      "/files/given/.hidden",
      "/files/given/./inner/b.bin",
      "/files/given/inner/b.bin%00.txt",
      "/files/given//inner/b.bin",
      "/files/given",
      "/files/other",
      "/files/constructor/",
      "/files",
      "/../package.json",
      "/%2e%2e/package.json",
      "/..%2fpackage.json",
      "/assets/../../package.json",
      "/assets",
      "/assets/",
      `/files/${encodeURIComponent(secret)}`,
      `//${secret}`,
      "/%",
      "http://127.0.0.1/files/given/",
    ];
    for (const path of ways) {
      const { status, text } = await ask(url, path);
      expect({ path, status: [400, 403, 404].includes(status), text }).toEqual({
        path,
        status: true,
        text: expect.not.stringMatching(/secret$|workspace/),
      });
    }
    expect((await ask(url, "/files/given/inner/b.bin")).text).toBe("0123456789");
  });

  it("answers only requests that name this machine, and only reads", async () => {
    const { url } = await studio();
    const { port } = new URL(url);
    for (const host of ["evil.example", `evil.example:${port}`, `127.0.0.1.evil.example:${port}`, "127.0.0.1:1"])
      expect((await ask(url, "/", { headers: { Host: host } })).status).toBe(403);
    expect((await ask(url, "/", { headers: { Host: `localhost:${port}` } })).status).toBe(200);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
      const { status, headers } = await ask(url, "/", { method });
      expect({ status, allow: headers["allow"] }).toEqual({ status: 405, allow: "GET, HEAD" });
    }
  });
});

describe("the command", () => {
  it("ends with the signal's status, and its connections with it", async () => {
    const { url, end } = await studio();
    await fetch(url);
    expect(await end()).toEqual({ code: 130, stderr: "dechirp: interrupted by SIGINT\n" });
    await expect(fetch(url)).rejects.toThrow();
  });

  it.skipIf(process.platform === "win32")(
    "runs as a process: prints the address, opens the browser that is asked for, ends by Ctrl-C",
    async () => {
      const folder = await temporaryFolder();
      const noted = join(folder, "noted");
      const browser = join(folder, "browser");
      await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > ${noted}\n`, { mode: 0o755 });
      process.env["BROWSER"] = browser;
      onTestFinished(() => void delete process.env["BROWSER"]);
      const { child, ended } = start(["studio", "--open"]);
      const said = await new Promise<string>((resolve) => child.stdout!.on("data", (text: string) => resolve(text)));
      expect(said).toMatch(/^The studio is at http:\/\/127\.0\.0\.1:\d+\/\nCtrl-C ends it\.\n$/);
      // On macOS the browser is chosen by the system.
      if (process.platform === "linux") {
        const address = /http\S+/.exec(said)![0];
        await expect.poll(() => readFile(noted, "utf8").catch(() => "")).toBe(address);
      }
      child.kill("SIGINT");
      expect(await ended).toMatchObject({ code: 130, stderr: "dechirp: interrupted by SIGINT\n" });
    },
  );

  it("says in one line what is wrong", async () => {
    const folder = await temporaryFolder();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    expect(await dechirp(["studio", "--port", String(port)])).toEqual({
      code: 2,
      stdout: "",
      stderr: `dechirp: --port must be a free port: another program uses it, not ${port}\n`,
    });
    for (const wrong of ["0", "65536", "x", "-1"]) {
      const { code, stderr } = await dechirp(["studio", `--port=${wrong}`]);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(/^dechirp: --port must be an integer from 1 to 65535, not /),
      });
    }
    const missing = join(folder, "missing.cphd");
    expect(await dechirp(["studio", missing])).toEqual({
      code: 3,
      stdout: "",
      stderr: `dechirp: ${missing}: there is no such file or folder\n`,
    });
  });
});

describe("the page", () => {
  it("is isolated, and the task Focus opens a given file and a given folder", async () => {
    const folder = await temporaryFolder();
    const scene = join(folder, "scene");
    await dechirp(["simulate", "--preset", "quality", "--type", "ci16", "--out", scene]);
    await dechirp(["simulate", "--preset", "spotlight", "--out", folder]);
    const browser = await launchBrowser();
    try {
      for (const [given, said] of [
        [join(folder, "spotlight.cphd"), /CPHD/],
        [scene, /scene folder/],
      ] as const) {
        const { url } = await studio(given);
        const page = await newPage(browser);
        const errors: string[] = [];
        page.on("pageerror", (error) => errors.push(String(error)));
        page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
        await page.goto(url);
        await page.getByText(said).first().waitFor();
        await page.locator(".focus .picture[aria-busy=false] .image-viewer").first().waitFor();
        expect(await page.evaluate("crossOriginIsolated")).toBe(true);
        expect(await page.getByRole("alert").allTextContents()).toEqual([]);
        expect(errors).toEqual([]);
        await page.close();
      }
    } finally {
      await browser.close();
    }
  });

  it("makes the image of the command from what is given, and programs that outlive the server", async () => {
    const { pass, scene } = await radarsatPass();
    await dechirp(["simulate", "--preset", "spotlight", "--out", join(pass, "a")]);
    await dechirp(["simulate", "--preset", "spotlight", "--out", join(pass, "b")]);
    const cphd = (name: string): string => join(pass, name, "spotlight.cphd");
    const browser = await launchBrowser();
    try {
      for (const { given, input, command, choice, tolerance } of [
        // The command focuses a small scene as a whole, and the page in blocks, whose transforms have other lengths; AGC values change 40 times as much.
        { given: [scene], input: scene, command: "focus", choice: undefined, tolerance: 0.005 },
        { given: [cphd("a")], input: cphd("a"), command: "backproject", choice: undefined, tolerance: 1e-5 },
        { given: [cphd("a"), cphd("b")], input: cphd("b"), command: "backproject", choice: "spotlight.cphd-2", tolerance: 1e-5 },
      ]) {
        const out = await temporaryFolder();
        expect(await dechirp([command, input, "--out", out])).toMatchObject({ code: 0 });
        const { url, end } = await studio(...given);
        const page = await newPage(browser);
        await page.goto(url);
        await focused(page);
        if (choice !== undefined) {
          await page.getByLabel("One of 2 recordings").selectOption(choice);
          // The program of an image is there when the image is finished.
          await page.locator("[data-figure=program]", { hasText: input }).waitFor({ state: "attached" });
          await focused(page);
        }
        const { image, program } = await imageAndProgram(page);
        await page.close();
        await end();
        expect(difference(image, await pixelsAt(join(out, "image.npy")))).toBeLessThan(tolerance);
        expect(program).toContain(`const path = ${JSON.stringify(input)};`);
        expect(program).not.toContain("127.0.0.1");
        expect(difference(await imageOfProgram(program), image)).toBeLessThan(1e-5);
      }
    } finally {
      await browser.close();
    }
  });
});
