/**
 * Servers of tests: Redis and PostgreSQL of this machine, each in a folder of its own, on loopback. Nothing of the system's own servers is touched.
 * `missing` says what is not installed; tests of it are skipped.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** A server that was started. */
export interface Server {
  /** Address with a password, for clients. */
  readonly url: string;
  readonly password: string;
  /** File of the certificate of a server with encrypted connections. */
  readonly certificate?: string;
  /** Kills the server at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again. `erased`: without its data. */
  restart(options?: { readonly erased?: boolean }): Promise<void>;
  /** Kills it, and removes its folder. */
  remove(): Promise<void>;
}

/** Kinds of servers. */
export type ServerKind = "Redis" | "PostgreSQL";

const postgresFolder = (() => {
  const parent = "/usr/lib/postgresql";
  if (!existsSync(parent)) return undefined;
  const versions = readdirSync(parent).sort((a, b) => Number(b) - Number(a));
  const folder = versions.map((version) => join(parent, version, "bin")).find((bin) => existsSync(join(bin, "initdb")));
  return folder;
})();
const finds = (program: string): boolean => spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;
const isRoot = process.getuid?.() === 0;
/** PostgreSQL does not run as root. Debian makes this user. */
const postgresUser = ((): { readonly uid: number; readonly gid: number } | undefined => {
  if (!isRoot) return undefined;
  const id = (flag: string): number => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout);
  return { uid: id("-u"), gid: id("-g") };
})();

/** Why there is no server of a kind here. Absent if there is one. */
export const missing: Readonly<Record<ServerKind, string | undefined>> = {
  Redis: finds("redis-server") ? undefined : "redis-server is not installed (Debian: redis-server)",
  PostgreSQL:
    postgresFolder === undefined
      ? "PostgreSQL is not installed (Debian: postgresql)"
      : postgresUser && !(postgresUser.uid > 0)
        ? "PostgreSQL's user, postgres, is not installed"
        : undefined,
};

/** A port that is free now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** A password that no other server has, so that none is taken for another. It has characters that addresses write in another way. */
const newPassword = (): string => `S3cr:et/w@rd${randomBytes(6).toString("hex")}`;

/** A server ended before it was ready: another program may have taken its port meanwhile. */
class EndedError extends Error {}

/** How a server is started. */
export interface ServerOptions {
  /** Connections are encrypted, with a certificate for 127.0.0.1 that no authority has signed. It needs `openssl`. */
  readonly tls?: boolean;
}

/** Starts a server of a kind. */
export const startServer = (kind: ServerKind, { tls = false }: ServerOptions = {}): Promise<Server> =>
  untilStarted(() => (kind === "Redis" ? startRedis : startPostgres)(tls, newPassword()));

/** Starts a server anew when it ended before it was ready, a few times at most. */
async function untilStarted<T>(start: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof EndedError) || tries === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** Why there are no certificates here. Absent if there can be some. */
export const missingCertificates =
  spawnSync("openssl", ["version"], { stdio: "ignore" }).status === 0 ? undefined : "openssl is not installed";

/** Makes a key and a certificate for 127.0.0.1 in a folder. */
async function makeCertificate(folder: string): Promise<{ readonly key: string; readonly certificate: string }> {
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  await execute("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", certificate, ...names]);
  return { key, certificate };
}

/** Keeps a process: starts it, kills it, and starts it again. */
async function keep(
  folder: string,
  { url, password }: Pick<Server, "url" | "password">,
  { prepare, start, isReady }: { prepare(): Promise<void>; start(): ChildProcess; isReady(): Promise<boolean> },
  certificate?: string,
): Promise<Server> {
  let child: ChildProcess | undefined;
  const run = async (): Promise<void> => {
    const own = start();
    child = own;
    for (let tries = 0; !(await isReady().catch(() => false)); tries++) {
      if (own.exitCode !== null) throw new EndedError(`the server ended (${own.exitCode})`);
      if (tries > 600) throw new Error("the server did not start");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const kill = async (): Promise<void> => {
    const own = child;
    if (!own || own.exitCode !== null || own.signalCode !== null) return;
    const ended = new Promise((resolve) => own.once("exit", resolve));
    own.kill("SIGKILL");
    await ended;
  };
  const remove = async (): Promise<void> => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await prepare();
    await run();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    url,
    password,
    ...(certificate !== undefined && { certificate }),
    kill,
    async restart({ erased = false } = {}) {
      await kill();
      if (erased) {
        for (const name of readdirSync(folder)) await rm(join(folder, name), { recursive: true, force: true });
        await prepare();
      }
      await untilStarted(run);
    },
    remove,
  };
}

async function startRedis(tls: boolean, password: string): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "dechirp-redis-"));
  const port = await freePort();
  const pair = tls ? await makeCertificate(folder) : undefined;
  const files = pair && ["--tls-cert-file", pair.certificate, "--tls-key-file", pair.key, "--tls-auth-clients", "no"];
  const ports = files ? ["--port", "0", "--tls-port", `${port}`, ...files] : ["--port", `${port}`];
  const options = ["--bind", "127.0.0.1", ...ports, "--dir", folder, "--requirepass", password];
  const policy = ["--appendonly", "yes", "--appendfsync", "everysec", "--save", "", "--maxmemory-policy", "noeviction"];
  const ping = [...(pair ? ["--tls", "--cacert", pair.certificate] : []), "-p", `${port}`, "ping"];
  return keep(
    folder,
    { url: `${tls ? "rediss" : "redis"}://default:${encodeURIComponent(password)}@127.0.0.1:${port}`, password },
    {
      prepare: async () => {},
      start: () => spawn("redis-server", [...options, ...policy], { stdio: "ignore" }),
      isReady: async () =>
        (await execute("redis-cli", ping, { env: { ...process.env, REDISCLI_AUTH: password } })).stdout.trim() === "PONG",
    },
    pair?.certificate,
  );
}

async function startPostgres(tls: boolean, password: string): Promise<Server> {
  const bin = postgresFolder as string;
  const folder = await mkdtemp(join(tmpdir(), "dechirp-postgres-"));
  const port = await freePort();
  const own = { ...postgresUser, cwd: "/", env: { ...process.env, PGPASSWORD: password, LC_ALL: "C" } };
  const data = join(folder, "data");
  if (postgresUser) await chown(folder, postgresUser.uid, postgresUser.gid);
  await chmod(folder, 0o700);
  const pair = tls ? await makeCertificate(folder) : undefined;
  if (pair && postgresUser) await chown(pair.key, postgresUser.uid, postgresUser.gid);
  const encrypted = pair ? ["ssl=on", `ssl_cert_file=${pair.certificate}`, `ssl_key_file=${pair.key}`].flatMap((set) => ["-c", set]) : [];
  const run = ["-D", data, "-h", "127.0.0.1", "-p", `${port}`, "-k", folder, ...encrypted];
  const url = `postgres://tester:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
  const checks: Parameters<typeof keep>[2] = {
    async prepare() {
      const secret = join(folder, "password");
      await writeFile(secret, password, { mode: 0o644 });
      const options = ["-D", data, "-U", "tester", "--auth=scram-sha-256", `--pwfile=${secret}`, "--no-sync", "-E", "UTF8"];
      const code = await new Promise((resolve) =>
        spawn(join(bin, "initdb"), options, { ...own, stdio: ["ignore", "ignore", "inherit"] }).once("exit", resolve),
      );
      if (code !== 0) throw new Error(`initdb ended with ${code}`);
    },
    start: () => spawn(join(bin, "postgres"), run, { ...own, stdio: "ignore" }),
    async isReady() {
      await execute(join(bin, "psql"), ["-h", "127.0.0.1", "-p", `${port}`, "-U", "tester", "-c", "select 1", "postgres"], own);
      return true;
    },
  };
  return keep(folder, { url, password }, checks, pair?.certificate);
}
