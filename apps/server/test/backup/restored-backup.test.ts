import { describe, expect, test } from "vitest";
import { PATCH_OP, type Client } from "../over-http/client.ts";
import { ENGINES } from "../over-http/engines.ts";
import { startInProcess } from "../over-http/in-process.ts";

const USERS = 6;
/** Writes of one user behind the backup: as many as the restored database then has of its own. */
const WRITES = 8;

function body(nickName: string): object {
  return { schemas: [PATCH_OP], Operations: [{ op: "replace", path: "nickName", value: nickName }] };
}

/** Writes once, and resolves to the tag that the write led to. */
async function write(client: Client, path: string, nickName: string): Promise<string> {
  const answer = await client.call("PATCH", path, { body: JSON.stringify(body(nickName)) });
  expect(answer.status).toBe(200);
  return String(answer.headers.etag);
}

describe.each(ENGINES)("$name: a history that ends early", ({ make }) => {
  test.each([
    ["a restored backup", "the same writes"],
    ["a promoted replica that lacks what came last", "other writes"],
  ])(
    "R7644-3.14-09 %s refuses every tag handed out behind its end with 412, after %s too",
    async (_kind, writes) => {
      const database = await make();
      const before = await startInProcess(database.environment);
      const users = await Promise.all(
        Array.from({ length: USERS }, (_, at) => before.user({ userName: `user-${at}` })),
      );
      // Histories of unlike length: the revision of one may equal that of another.
      for (const [at, { path }] of users.entries())
        for (let each = 0; each < at; each += 1) await write(before, path, `before-${each}`);
      const known = new Map<string, string>();
      for (const { path } of users) known.set(path, String((await before.call("GET", path)).headers.etag));
      await before.stop();
      const backup = await database.copy();

      const lost = await startInProcess(database.environment);
      const tags = new Map<string, readonly string[]>();
      for (const { path } of users) {
        const handed: string[] = [];
        for (let each = 0; each < WRITES; each += 1) handed.push(await write(lost, path, `after-${each}`));
        tags.set(path, handed);
      }
      await lost.stop();

      const restored = await startInProcess(backup.environment);
      // The tag that the backup holds goes on being good.
      for (const [path, tag] of known)
        expect((await restored.call("GET", path, { headers: { "If-None-Match": tag } })).status).toBe(304);
      const fresh: string[] = [];
      for (let each = 0; each <= WRITES; each += 1) {
        for (const [path, handed] of tags) {
          for (const tag of handed) {
            const conditional = { headers: { "If-Match": tag }, body: JSON.stringify(body("stale")) };
            expect((await restored.call("PATCH", path, conditional)).status).toBe(412);
            expect((await restored.call("GET", path, { headers: { "If-None-Match": tag } })).status).toBe(
              200,
            );
          }
          const text = writes === "the same writes" ? `after-${each}` : `other-${each}`;
          if (each < WRITES) fresh.push(await write(restored, path, text));
        }
      }
      expect(fresh.filter((tag) => [...tags.values()].flat().includes(tag))).toEqual([]);
      expect(new Set(fresh).size).toBe(USERS * WRITES);
    },
  );
});
