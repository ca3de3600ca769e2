import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { serve } from "../command-line/program.ts";
import { USER } from "../over-http/client.ts";
import { exchange, textMember } from "../over-http/exchange.ts";
import { newToken } from "../over-http/server.ts";
import { newFolder } from "../command-line/program.ts";
import { follow } from "./follow.ts";

const BEFORE = 40;
const AFTER = 10;

test("who follows changes misses none of a server that is killed while it sends them", async () => {
  const [token, admin] = [newToken(), newToken("admin")];
  const where = {
    folder: newFolder(),
    environment: { SCIM_TOKEN: token, SCIM_ADMIN_TOKEN: admin },
  };
  const written: string[] = [];
  let sent = 0;
  /** Writes until so many are written, or the server is gone. */
  const write = async (origin: string, until: number): Promise<void> => {
    while (written.length < until) {
      sent += 1;
      const body = JSON.stringify({ schemas: [USER], userName: `user-${sent}` });
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/scim+json" };
      const wire = { method: "POST", path: "/scim/v2/Users", headers, body };
      const answer = await exchange(origin, wire).catch(() => null);
      if (answer === null) return;
      expect(answer.status).toBe(201);
      written.push(textMember(answer.body, "id"));
    }
  };
  const seen = new Map<number, string>();
  let last = 0;
  const read = async (origin: string, enough: () => boolean): Promise<void> => {
    const headers = { authorization: `Bearer ${admin}`, "last-event-id": String(last) };
    const path = "/admin/v1/tenants/default/changes";
    for await (const { id, data } of follow({ origin, path, headers })) {
      last = Number(id);
      const event: { readonly id: string } = JSON.parse(data);
      expect([undefined, event.id]).toContain(seen.get(last));
      seen.set(last, event.id);
      if (enough()) return;
    }
  };

  const first = await serve(where);
  const writing = write(first.origin, Number.POSITIVE_INFINITY);
  const reading = read(first.origin, () => false);
  while (written.length < BEFORE || seen.size === 0) await delay(10);
  first.child.kill("SIGKILL");
  await Promise.all([first.ended, writing, reading]);
  const seenBefore = seen.size;

  const second = await serve(where);
  await write(second.origin, written.length + AFTER);
  await read(second.origin, () => written.every((id) => [...seen.values()].includes(id)));
  expect(seenBefore).toBeGreaterThan(0);
  expect([...seen.keys()]).toEqual(Array.from({ length: last }, (_, index) => index + 1));
  expect(new Set(seen.values()).size).toBe(seen.size);
});
