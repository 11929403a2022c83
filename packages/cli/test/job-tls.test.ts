/** Queues with encrypted connections: options of the address and of the environment reach the drivers. `npm run build` builds the executable. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { missing, missingCertificates, type ServerKind, startServer } from "../../jobs-bullmq/test/servers.ts";
import { dechirp, temporaryFolder } from "./command.ts";
import { main, spawned } from "./executable.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dechirp-tls-"));
  await dechirp(["simulate", "--preset", "spotlight", "--out", folder]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Ways to trust a server's certificate: an option of the address, or of the environment. */
const trusts: Readonly<Record<ServerKind, (url: string, certificate: string) => { readonly url: string; readonly env: object }>> = {
  Redis: (url, certificate) => ({ url, env: { NODE_EXTRA_CA_CERTS: certificate } }),
  PostgreSQL: (url, certificate) => ({ url: `${url}?sslmode=verify-full&sslrootcert=${encodeURIComponent(certificate)}`, env: {} }),
};
const encryptedAlone = { Redis: (url: string) => url, PostgreSQL: (url: string) => `${url}?sslmode=verify-full` };

for (const kind of ["Redis", "PostgreSQL"] as const)
  it.skipIf((missing[kind] ?? missingCertificates) !== undefined)(
    `a job is made over TLS with ${kind}, whose certificate must be trusted`,
    async () => {
      const server = await startServer(kind, { tls: true });
      try {
        const store = join(await temporaryFolder(), "job");
        const plan = ["job", "plan", join(folder, "spotlight.cphd"), "--out", store, "--grid=-40,-40,0.4,0.4,200,190", "--tile", "128"];
        expect((await dechirp(plan)).code).toBe(0);
        const run = (args: readonly string[], url: string, env: object = {}) =>
          spawned(process.execPath, [main, "job", ...args, "--queue", url], "ignore", { ...process.env, ...env }).ended;
        const refused = await run(["submit", store], encryptedAlone[kind](server.url));
        expect([refused.code, refused.stdout, refused.stderr]).toEqual([
          4,
          "",
          expect.stringMatching(/can't be opened: .*self.signed certificate/),
        ]);
        const { url, env } = trusts[kind](server.url, server.certificate ?? "");
        if (kind === "PostgreSQL") expect(await run(["init"], url, env)).toMatchObject({ code: 0 });
        expect(await run(["submit", store], url, env)).toMatchObject({ code: 0 });
        const worked = await run(["work", "--idle", "2", "--units", "1"], url, env);
        expect(worked).toMatchObject({ code: 0 });
        expect((await dechirp(["job", "status", store])).stdout).toMatch(/4 of 4 tasks done/);
        for (const { stdout, stderr } of [refused, worked]) expect(`${stdout}${stderr}`).not.toMatch(/S3cr|sslrootcert/);
      } finally {
        await server.remove();
      }
    },
  );
