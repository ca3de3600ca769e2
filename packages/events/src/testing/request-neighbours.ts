/**
 * What is done to the request log of a connection or a tenant concerns no other.
 * @module
 */
import { expectEqual } from "@scim/core/testing";
import {
  added,
  CONNECTION,
  minute,
  type RequestLogRule,
  sampleRequest,
  type StoreWithRequests,
  TENANT,
} from "./sample-requests.ts";

/** Whose log it is. */
interface Owner {
  readonly tenant: string;
  readonly connection: string;
}

/** Another tenant with entries of the same ids, and another connection of the tenant. */
const SOUTH: Owner = { tenant: "south", connection: CONNECTION };
const SECOND: Owner = { tenant: TENANT, connection: "second" };
const WEST: Owner = { tenant: "west", connection: CONNECTION };

interface Deed {
  readonly what: string;
  readonly apart: readonly Owner[];
  readonly done: (store: StoreWithRequests) => Promise<unknown>;
}

const DEEDS: readonly Deed[] = [
  {
    what: "added",
    apart: [SOUTH, SECOND],
    done: (store) => added(store, [sampleRequest(1), sampleRequest(90)], 3),
  },
  { what: "skipped", apart: [SOUTH, SECOND], done: (store) => added(store, [], 3) },
  {
    what: "told to be silent",
    apart: [SOUTH, SECOND],
    done: async ({ requests }) => {
      const source = (await requests.sources(TENANT)).find(({ connection }) => connection === CONNECTION);
      if (source !== undefined) await requests.tellSilence(source, minute(99));
    },
  },
  {
    what: "purged",
    apart: [SOUTH],
    done: ({ requests }) => requests.purge(TENANT, { before: minute(60), characters: 1_000_000, limit: 99 }),
  },
  {
    what: "purged by size",
    apart: [SOUTH],
    done: ({ requests }) => requests.purge(TENANT, { before: "", characters: 0, limit: 99 }),
  },
];

async function look({ requests }: StoreWithRequests, { tenant, connection }: Owner): Promise<unknown> {
  const source = (await requests.sources(tenant)).filter((each) => each.connection === connection);
  return {
    entries: await requests.list(tenant, { connection, limit: 99 }),
    runs: await requests.runs(tenant, { connection, limit: 99 }),
    source,
  };
}

const OWN: Owner = { tenant: TENANT, connection: CONNECTION };

/** Rules of logs beside each other. */
export const APART_REQUEST_RULES: readonly RequestLogRule[] = [
  {
    rule: "requests/apart",
    name: "a tenant is told of its own requests alone",
    run: async (open) => {
      const store = await open();
      const { requests } = store;
      await added(store, [sampleRequest(0)]);
      const { id } = sampleRequest(0);
      const [run] = await requests.runs(TENANT, { limit: 9 });
      expectEqual(await requests.list("south", { limit: 9 }), [], "listed");
      expectEqual(await requests.find("south", id), null, "found");
      expectEqual(await requests.runs("south", { run: run?.run, limit: 9 }), [], "runs");
      expectEqual(await requests.sources("south"), [], "sources");
      expectEqual(await requests.purge("south", { before: minute(9), characters: 0, limit: 9 }), 0, "purged");
      await added(store, [sampleRequest(0, { tenant: "south", status: 500 })]);
      expectEqual((await requests.find("south", id))?.status, 500, "its own");
      expectEqual((await requests.find(TENANT, id))?.status, 200, "of the same id");
      const [own] = await requests.runs(TENANT, { limit: 9 });
      expectEqual(own, run, "a run of the same name");
    },
  },
  {
    rule: "requests/apart",
    name: "runs and sizes are those of a connection and a tenant",
    run: async (open) => {
      const store = await open();
      const { requests } = store;
      await added(store, [sampleRequest(0)]);
      await added(store, [sampleRequest(0, SOUTH)]);
      for (const owner of [SECOND, WEST]) {
        await added(store, [sampleRequest(1, owner)]);
        const runs = await requests.runs(owner.tenant, { connection: owner.connection, limit: 9 });
        expectEqual(
          runs.map(({ begun, requests: count }) => [begun, count]),
          [[minute(1), 1]],
          "runs",
        );
      }
      const characters = 3 * JSON.stringify(sampleRequest(0)).length;
      const purge = (tenant: string, of: object): Promise<number> =>
        requests.purge(tenant, { before: "", characters, limit: 9, ...of });
      expectEqual(await purge(TENANT, {}), 0, "of others there is more");
      const oldest = { before: minute(9), limit: 1 };
      expectEqual([await purge(TENANT, oldest), await purge(TENANT, oldest)], [1, 1], "others are older");
      expectEqual(await purge("south", { characters: 9 }), 1, "what has the run of the same name");
    },
  },
  ...DEEDS.map(({ what, apart, done }): RequestLogRule => ({
    rule: "requests/apart",
    name: `what is ${what} leaves other logs alone`,
    run: async (open) => {
      const store = await open();
      await added(store, [sampleRequest(0)]);
      await added(store, [sampleRequest(0, SOUTH)]);
      await added(store, [sampleRequest(0.5, SECOND)]);
      const logs = (): Promise<readonly unknown[]> =>
        Promise.all([OWN, ...apart].map((owner) => look(store, owner)));
      const [before, ...others] = await logs();
      await done(store);
      const [after, ...left] = await logs();
      expectEqual(left, others, "other logs");
      expectEqual(JSON.stringify(after) === JSON.stringify(before), false, "the log is as it was");
    },
  })),
];
