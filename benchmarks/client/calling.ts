/**
 * What the client costs beside bare undici on the same requests, and how fast it lists.
 * @module
 */
import { createScimClient, type ScimClient } from "@scim/client";
import { Agent, request } from "undici";
import { startOurs, type Target } from "../http/start.ts";
import type { Report, Side } from "../report.ts";
import { SAMPLE_USER } from "../sample-user.ts";

const AT_ONCE = 32;
const ROUNDS = 6;
const MILLISECONDS = 600;
const USERS = 10_000;
const PAGE = 1000;

/** Measures all of it. */
export async function measureClient(report: Report): Promise<void> {
  const server = await startOurs();
  const client = createScimClient({ baseUrl: server.base, auth: tokenOf(server), cache: false });
  const agent = new Agent({ connections: AT_ONCE });
  const bare = async (path: string): Promise<unknown> => {
    const { body } = await request(server.base + path, { dispatcher: agent, headers: server.headers });
    return body.json();
  };
  try {
    await fill(client);
    const first = await client.users.list().first();
    const id = first?.id ?? "";
    const reads = await ratesInTurn({
      ours: () => client.users.get(id),
      theirs: () => bare(`/Users/${id}`),
    });
    report.compare(`GET a User, ${AT_ONCE} at once`, ours(reads.ours), theirs(reads.theirs), 0.85);
    const lists = await ratesInTurn(
      { ours: () => listed(client), theirs: () => walked(bare) },
      { atOnce: 1, weight: USERS },
    );
    report.compare(`list ${USERS} Users by cursor, resources`, ours(lists.ours), theirs(lists.theirs), 0.8);
  } finally {
    await Promise.all([client.close(), agent.close(), server.stop()]);
  }
}

function ours(value: number): Side {
  return { name: "@scim/client", value, unit: "/s" };
}

function theirs(value: number): Side {
  return { name: "bare undici", value, unit: "/s" };
}

function tokenOf({ headers }: Target): string {
  return (headers["authorization"] ?? "").slice("Bearer ".length);
}

async function fill(client: ScimClient): Promise<void> {
  const job = client.bulk();
  for (let n = 0; n < USERS; n += 1) {
    job.create(client.users, { ...SAMPLE_USER, userName: `bench-${n}@example.com`, externalId: `e-${n}` });
  }
  const { done } = await job.run();
  if (done !== USERS) throw new Error(`${USERS - done} users were not created.`);
}

async function listed(client: ScimClient): Promise<void> {
  let count = 0;
  for await (const page of client.users.list({ pageSize: PAGE }).pages()) count += page.resources.length;
  if (count !== USERS) throw new Error(`The client listed ${count} users.`);
}

/** The same pages, one after another, without a client. */
async function walked(bare: (path: string) => Promise<unknown>): Promise<void> {
  let cursor: string | undefined = "";
  while (cursor !== undefined) {
    // What the server answers with is a ListResponse.
    const page = (await bare(`/Users?count=${PAGE}&cursor=${cursor}`)) as { readonly nextCursor?: string };
    cursor = page.nextCursor;
  }
}

interface Load {
  readonly atOnce: number;
  /** What one call counts for. */
  readonly weight: number;
}

type Sides = Readonly<Record<"ours" | "theirs", () => Promise<unknown>>>;

/** Calls in a second, of each side the best of some rounds that take turns. */
async function ratesInTurn(
  sides: Sides,
  { atOnce, weight }: Load = { atOnce: AT_ONCE, weight: 1 },
): Promise<Readonly<Record<"ours" | "theirs", number>>> {
  const best = { ours: 0, theirs: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of ["ours", "theirs"] as const) {
      best[name] = Math.max(best[name], (await rateOf(sides[name], atOnce)) * weight);
    }
  }
  return best;
}

async function rateOf(call: () => Promise<unknown>, atOnce: number): Promise<number> {
  const begun = performance.now();
  let calls = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() - begun < MILLISECONDS) {
      await call();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  return (calls * 1000) / (performance.now() - begun);
}
