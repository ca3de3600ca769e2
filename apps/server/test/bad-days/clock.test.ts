import { randomUUID } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { ENGINES } from "../over-http/engines.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { admin, ADMIN_TOKEN } from "../requests/admin.ts";

const HOUR_MS = 3_600_000;

function modified(body: Readonly<Record<string, unknown>>): string {
  // Every representation has `meta` with a text `lastModified` (RFC 7643 §3.1).
  return (body["meta"] as { readonly lastModified: string }).lastModified;
}

describe.each(ENGINES)("$name: a clock that goes backwards", ({ make }) => {
  test("no version repeats, and no resource is modified before it was", async () => {
    const client = await startInProcess((await make()).environment);
    const user = await client.user({ userName: "bjensen" });
    const tags = [user.tag];
    const times = [modified(user.body)];
    const now = Date.now();
    try {
      for (const shift of [-1, -24, 2, -24, 1]) {
        vi.spyOn(Date, "now").mockReturnValue(now + shift * HOUR_MS);
        const answer = await client.patch(user.path, [
          { op: "replace", path: "nickName", value: `at ${shift} of ${tags.length}` },
        ]);
        expect(answer.status).toBe(200);
        tags.push(String(answer.headers.etag));
        times.push(modified(answer.body));
      }
    } finally {
      vi.restoreAllMocks();
    }
    expect(new Set(tags).size).toBe(tags.length);
    expect(times.toSorted()).toEqual(times);
    expect(times.at(-1)).toBe(new Date(now + 2 * HOUR_MS).toISOString());
    expect((await client.call("GET", user.path)).body["meta"]).toMatchObject({ lastModified: times.at(-1) });
  });
});

test("the guard that a connection is given acts within a second, also where the clock was set back", async () => {
  const client = await startInProcess({
    SCIM_DATABASE_URL: "sqlite::memory:",
    SCIM_ADMIN_TOKEN: ADMIN_TOKEN,
    SCIM_GUARD_MODE: "off",
  });
  const deletion = async (): Promise<number> => {
    const { path } = await client.user({ userName: randomUUID() });
    return (await client.call("DELETE", path)).status;
  };
  expect(await deletion()).toBe(204);
  vi.spyOn(Date, "now").mockReturnValue(Date.now() - HOUR_MS);
  try {
    const guard = { mode: "hold", atLeast: 0, percent: 0 };
    const body = JSON.stringify({ guard });
    expect(await admin(client, "/connections/default", { method: "PATCH", body })).toMatchObject({
      status: 200,
      body: { guard },
    });
    await expect.poll(deletion, { timeout: 5000 }).toBe(429);
  } finally {
    vi.restoreAllMocks();
  }
});
