import { randomBytes } from "node:crypto";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { loadTestExtension } from "@scim/fixtures";
import { createCursorSeal } from "../../src/store/cursor-seal.ts";
import { BULK_REQUEST, clientOf, GROUP, type Client } from "../over-http/client.ts";
import { userExtendedBy, writeDocuments, type Documents } from "../over-http/documents.ts";
import type { WireAnswer } from "../over-http/exchange.ts";
import { startOwnServer, type OwnServer } from "../over-http/in-process.ts";
import { TEST, type Expected, type World } from "./row.ts";
import { TABLES } from "./tables.ts";

const SECRET = randomBytes(32);
const SEAL = createCursorSeal([{ id: "test", secret: SECRET }]);

/** As many resources as a list over all types may sort. */
const SORTED = 1000;

describe.each(["strict", "tolerant"] as const)("in profile %s", (profile) => {
  let server: OwnServer;
  let documents: Documents;
  let client: Client;
  let untouched: World | null = null;
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });

  beforeAll(async () => {
    documents = await writeDocuments(userExtendedBy([loadTestExtension()]));
    const environment = {
      SCIM_PROFILE: profile,
      SCIM_SCHEMAS: documents.directory,
      SCIM_SECRET_KEYS: `test:${SECRET.toString("base64url")}`,
      SCIM_FILTER_SENSITIVE_ATTRIBUTES: "phoneNumbers,name.familyName",
      SCIM_SORT_MAX_RESULTS: String(SORTED),
    };
    server = await startOwnServer(environment, log);
    client = clientOf(server, { "SCIM-Explain": "true" });
    await fill(client);
  });
  afterAll(async () => {
    await server.stop();
    await documents.remove();
  });

  describe.each(Object.entries(TABLES))("%s", (_, rows) => {
    test.each(rows)("$title", async (row) => {
      // What was refused left it as it was.
      const world = untouched ?? (await newWorld(server, client));
      untouched = null;
      const answer = await row.send(world);
      const expected = row[profile];
      if (expected.kind === "refused") {
        expectRefused(answer, expected);
        await expectUntouched(world);
        untouched = world;
      } else {
        expectAccepted(answer, expected);
        for (const name of expected.switches) {
          await eventually(() => expect(lines.join("")).toContain(name));
        }
      }
    });
  });
});

/** Makes more groups than a list over all types may sort. */
async function fill(client: Client): Promise<void> {
  const groups = Array.from({ length: SORTED }, (_, n) => ({
    method: "POST",
    path: "/Groups",
    bulkId: `g${n}`,
    data: { schemas: [GROUP], displayName: `crowd-${n}` },
  }));
  const { text } = await client.call("POST", "/Bulk", {
    body: { schemas: [BULK_REQUEST], Operations: groups },
  });
  if (text.includes("Error")) throw new Error(text.slice(0, 1000));
  await client.group({ displayName: "crowd-more" });
}

/** Opens a cursor, which is an array with the instant of its end in the third place, and sets that to the past. */
function expired(cursor: string): string {
  const content: unknown = JSON.parse(SEAL.open(cursor) ?? "null");
  if (!Array.isArray(content) || typeof content[2] !== "number") throw new TypeError("This is no cursor.");
  return SEAL.seal(JSON.stringify(content.with(2, 1)));
}

async function newWorld(server: OwnServer, client: Client): Promise<World> {
  const unique = randomBytes(6).toString("hex");
  const user = await client.user({
    userName: `user-${unique}`,
    emails: [{ value: "a@example.com", type: "work" }],
    [TEST]: { badge: "B1" },
  });
  const group = await client.group({
    displayName: `group-${unique}`,
    members: [{ value: user.id, type: "User" }],
  });
  return { server, client, user, group, unique, expired };
}

function expectRefused(answer: WireAnswer, expected: Extract<Expected, { kind: "refused" }>): void {
  expect(answer.status, answer.text).toBe(expected.status);
  expect(answer.headers["content-type"]).toBe("application/scim+json; charset=utf-8");
  expect(answer.body).toMatchObject({
    schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
    status: String(expected.status),
    detail: expect.stringMatching(/\w/),
  });
  expect(answer.body["scimType"] ?? null).toBe(expected.scimType);
  for (const part of expected.detail) expect(answer.body["detail"]).toMatch(part);
}

/** Nothing that was refused leaves a trace: both resources have the versions that they had. */
async function expectUntouched({ client, user, group }: World): Promise<void> {
  for (const made of [user, group]) {
    const { status, headers } = await client.call("GET", made.path);
    expect(status).toBe(200);
    expect(writeOf(made.tag)).not.toBe("");
    expect(writeOf(headers.etag)).toBe(writeOf(made.tag));
  }
}

/** The part of an entity tag that a write moves; what follows tells the groups of a user. */
function writeOf(tag: string | undefined): string {
  return /^W\/"([^"~]+)/.exec(tag ?? "")?.[1] ?? "";
}

function expectAccepted(answer: WireAnswer, expected: Extract<Expected, { kind: "accepted" }>): void {
  expect(answer.status, answer.text).toBe(expected.status);
  expect(answer.body).toMatchObject(expected.holds);
  for (const name of expected.lacks) expect(answer.body).not.toHaveProperty([name]);
  const fired = answer.headers["scim-switches"];
  expect(fired).toBe(expected.switches.length === 0 ? "none" : expected.switches.join(", "));
}
