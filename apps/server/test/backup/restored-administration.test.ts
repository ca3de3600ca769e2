import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { type Administration, startAdministration } from "../admin/administering.ts";
import { ENGINES } from "../over-http/engines.ts";

const ACME = "/tenants/acme";
const CONNECTIONS = `${ACME}/connections`;
const SCHEMAS = `${ACME}/schemas`;
const RECEIVER = { url: "https://hooks.example/events" };
const DESK = "urn:example:params:scim:schemas:Desk";

/** What can be made before a backup, and a change of it that says something else each time. */
interface Kind {
  readonly name: string;
  /** Makes one, and resolves to its address. */
  readonly make: (server: Administration) => Promise<string>;
  readonly method?: string;
  readonly change: (text: string) => JsonObject;
}

/** Makes one in a list, and resolves to its address. */
const madeIn =
  (list: string, body: JsonObject, name = "id") =>
  async (server: Administration): Promise<string> =>
    `${list}/${String((await server.make(list, body))[name])}`;

const desk = (description: string): JsonObject => ({
  id: DESK,
  name: "Desk",
  description,
  attributes: [{ name: "floor", type: "string" }],
});

const makeIssuer = madeIn("/issuers", {
  issuer: "https://id.example",
  audience: "api://scim",
  jwksUri: "https://id.example/keys",
});

const KINDS: readonly Kind[] = [
  {
    name: "tenant",
    make: madeIn("/tenants", { tenant: "acme" }, "tenant"),
    change: (displayName) => ({ displayName }),
  },
  {
    name: "connection",
    make: madeIn(CONNECTIONS, { connection: "okta" }, "connection"),
    // Neither a count nor the trail tells one name of a person from another.
    change: (text) => ({ guard: { atLeast: 10, named: [`${text}@example.com`] } }),
  },
  {
    name: "client",
    make: madeIn(`${CONNECTIONS}/default/clients`, {}),
    change: (name) => ({ name }),
  },
  {
    name: "webhook",
    make: madeIn(`${ACME}/webhooks`, RECEIVER),
    change: (text) => ({ types: [`${text}.created`] }),
  },
  {
    name: "stream",
    make: madeIn(`${ACME}/streams`, { audience: "https://them.example", method: "poll" }),
    change: (text) => ({ types: [`${text}.created`] }),
  },
  {
    name: "schema",
    make: async (server) => {
      const one = `${SCHEMAS}/${encodeURIComponent(DESK)}`;
      await server.send("PUT", one, { body: desk("first"), match: 0 });
      return one;
    },
    method: "PUT",
    change: desk,
  },
  {
    name: "issuer",
    make: makeIssuer,
    change: (text) => ({ jwksUri: `https://id.example/${text}` }),
  },
  {
    name: "administrator",
    make: async (server) => {
      const issuers = (await server.send("GET", "/issuers")).body["issuers"] as readonly JsonObject[];
      const issuer = String(issuers[0]?.["id"]);
      return madeIn("/admins", { issuer, subject: "ann", name: "Ann", role: "support" })(server);
    },
    change: (name) => ({ name }),
  },
];

describe.each(ENGINES)("$name: what administrators change", (engine) => {
  test("R7644-3.14-09 bears no tag again that a restored backup lacks, after as many changes too", async () => {
    const database = await engine.make();
    const before = await startAdministration(database.environment);
    const known: { kind: Kind; path: string; tag: string }[] = [];
    for (const kind of KINDS) known.push({ kind, path: await kind.make(before), tag: "" });
    for (const each of known) each.tag = await tagOf(before, each.path);
    await before.stop();
    const backup = await database.copy();

    const after = await startAdministration(database.environment);
    const lost = new Map<string, string>();
    for (const { kind, path, tag } of known)
      lost.set(path, await changed(after, { kind, path, tag }, "Lost"));
    const late = await madeIn(CONNECTIONS, { connection: "late", state: "suspended" }, "connection")(after);
    const lateTag = await tagOf(after, late);
    await after.stop();

    const restored = await startAdministration(backup.environment);
    const beside = await startAdministration(backup.environment);
    for (const { kind, path, tag } of known) {
      const stale = lost.get(path) ?? "";
      await expectRefused(restored, { kind, path, tag: stale });
      expect([kind.name, await tagOf(restored, path), await tagOf(beside, path)]).toEqual([
        kind.name,
        tag,
        tag,
      ]);
      const fresh = await changed(restored, { kind, path, tag }, "Other");
      await expectRefused(restored, { kind, path, tag: stale });
      expect(await tagOf(beside, path)).toBe(fresh);
      await changed(beside, { kind, path, tag: fresh }, "Behind");
      await changed(restored, { kind, path, tag: "*" }, "Any");
    }
    await madeIn(CONNECTIONS, { connection: "late" }, "connection")(restored);
    const [, connection] = KINDS;
    if (connection !== undefined)
      await expectRefused(restored, { kind: connection, path: late, tag: lateTag });
  });
});

/** A change of one of a kind that is meant for a tag. */
interface Meant {
  readonly kind: Kind;
  readonly path: string;
  readonly tag: string;
}

async function tagOf(server: Administration, path: string): Promise<string> {
  const { status, headers } = await server.send("GET", path);
  expect([path, status]).toEqual([path, 200]);
  return String(headers.etag);
}

function send(server: Administration, { kind, path, tag }: Meant, text: string) {
  return server.send(kind.method ?? "PATCH", path, { body: kind.change(text), match: tag });
}

/** Changes it, and resolves to its new tag. */
async function changed(server: Administration, meant: Meant, text: string): Promise<string> {
  const { status, headers, text: answer } = await send(server, meant, text);
  expect([meant.kind.name, status, answer]).toEqual([meant.kind.name, 200, answer]);
  expect(headers.etag).not.toBe(meant.tag);
  return String(headers.etag);
}

/** A stale tag is refused with the present one, and nobody who has it is told that nothing changed. */
async function expectRefused(server: Administration, meant: Meant): Promise<void> {
  const present = await tagOf(server, meant.path);
  expect(present).not.toBe(meant.tag);
  const refused = await send(server, meant, "Stale");
  expect([meant.kind.name, refused.status, refused.headers.etag]).toEqual([meant.kind.name, 412, present]);
  expect(refused.body).toMatchObject({
    expectedVersion: rawOf(meant.tag),
    currentVersion: rawOf(present),
  });
  const headers = { "if-none-match": meant.tag };
  expect((await server.send("GET", meant.path, { headers })).status).toBe(200);
}

function rawOf(tag: string): string {
  return tag.replaceAll(/^W\/"|"$/g, "");
}
