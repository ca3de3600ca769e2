/**
 * Histories that end early: a database that lacks what was written last, as a restored backup or a promoted replica.
 * @module
 */
import { expect } from "vitest";
import { PATCH_OP, type Client } from "../over-http/client.ts";

const USERS = 4;
/** Writes of one user behind the end: as many as the database that lacks them then has of its own. */
const WRITES = 5;

/** What clients were told. */
export interface Told {
  /** The tag of each user by path, as the end of the history has it. */
  readonly known: ReadonlyMap<string, string>;
  /** The tags of each user that were handed out behind the end. */
  readonly lost: ReadonlyMap<string, readonly string[]>;
}

function body(nickName: string): string {
  return JSON.stringify({
    schemas: [PATCH_OP],
    Operations: [{ op: "replace", path: "nickName", value: nickName }],
  });
}

/** Writes once, and resolves to the tag that the write led to. */
async function write(client: Client, path: string, nickName: string): Promise<string> {
  const answer = await client.call("PATCH", path, { body: body(nickName) });
  expect(answer.status).toBe(200);
  return String(answer.headers.etag);
}

/** Makes users with histories of unlike length: the revision of one may equal that of another. */
export async function writeHistory(client: Client): Promise<Told["known"]> {
  const users = await Promise.all(
    Array.from({ length: USERS }, (_, at) => client.user({ userName: `user-${at}` })),
  );
  for (const [at, { path }] of users.entries())
    for (let each = 0; each < at; each += 1) await write(client, path, `before-${each}`);
  const known = new Map<string, string>();
  for (const { path } of users) known.set(path, String((await client.call("GET", path)).headers.etag));
  return known;
}

/** Goes on writing what will be lost. */
export async function writeLost(client: Client, known: Told["known"]): Promise<Told["lost"]> {
  const lost = new Map<string, readonly string[]>();
  for (const path of known.keys()) {
    const handed: string[] = [];
    for (let each = 0; each < WRITES; each += 1) handed.push(await write(client, path, `after-${each}`));
    lost.set(path, handed);
  }
  return lost;
}

/**
 * Every tag from behind the end is refused, and the last one before it goes on being good; also when as many writes have
 * been made anew. Resolves to the tags of those.
 * @param textOf what the new writes say
 */
export async function expectLostEnd(
  client: Client,
  { known, lost }: Told,
  textOf: (write: number) => string,
): Promise<readonly string[]> {
  for (const [path, tag] of known)
    expect((await client.call("GET", path, { headers: { "If-None-Match": tag } })).status).toBe(304);
  const fresh: string[] = [];
  for (let each = 0; each <= WRITES; each += 1) {
    for (const [path, handed] of lost) {
      for (const tag of handed) {
        const conditional = { headers: { "If-Match": tag }, body: body("stale") };
        expect((await client.call("PATCH", path, conditional)).status).toBe(412);
        expect((await client.call("GET", path, { headers: { "If-None-Match": tag } })).status).toBe(200);
      }
      if (each < WRITES) fresh.push(await write(client, path, textOf(each)));
    }
  }
  expect(new Set(fresh).size).toBe(USERS * WRITES);
  return fresh;
}
