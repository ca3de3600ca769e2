/**
 * Rules of handlers that compare versions, and of those that try changes out.
 * @module
 */
import { expectEqual, expectTrue } from "../contract/expect.ts";
import { another } from "./another.ts";
import { withoutPreviews, withoutVersions, type HandlerRule } from "./rule.ts";
import { idOf, statusOf } from "./subject.ts";

/** Changes at the same time, and services that make them. */
const WRITERS = 4;

/** Changes behind each other. */
const STEPS = 12;

/** Writes at the same time: what they are, and whether a writer changes or deletes. */
type Way = readonly [string, (writer: number) => boolean];

export const VERSION_RULES: readonly HandlerRule[] = [
  {
    rule: "version/moves",
    name: "a version stays until the resource changes, and a change on an older one is refused",
    unsupported: withoutVersions,
    run: async ({ client, subject }) => {
      const made = await client.create(subject.sample(0));
      expectEqual((await client.read(idOf(made))).version, made.version, "the version as it is read");
      const changed = await client.replace(idOf(made), subject.changed(0), made.version);
      expectTrue(changed.version !== made.version, "the version has moved");
      expectEqual(
        await statusOf(client.replace(idOf(made), subject.sample(0), made.version)),
        412,
        "replacing",
      );
      expectEqual(await statusOf(client.delete(idOf(made), made.version)), 412, "deleting");
      expectEqual(await client.read(idOf(made)), changed, "what is stored");
      await client.delete(idOf(made), changed.version);
    },
  },
  {
    rule: "version/moves-at-once",
    name: "each of many changes within one moment moves the version",
    unsupported: withoutVersions,
    run: async ({ client, subject }) => {
      const made = await client.create(subject.sample(0));
      let { version } = made;
      for (let step = 0; step < STEPS; step += 1) {
        const state = step % 2 === 0 ? subject.changed(0) : subject.sample(0);
        const changed = await client.replace(idOf(made), state, version);
        expectTrue(changed.version !== version, `change ${step + 1} moves the version`);
        ({ version } = changed);
      }
    },
  },
  {
    rule: "version/one-wins",
    name: "of many changes that expect one version exactly one is made: the handler compares as it writes",
    unsupported: withoutVersions,
    run: async (opened) => {
      const { client, subject } = opened;
      // Each through a service of its own: one service lets changes of a resource take turns.
      const others = await Promise.all(Array.from({ length: WRITERS }, async () => another(opened)));
      const ways: readonly Way[] = [
        ["changes", () => true],
        ["deletions", () => false],
        ["changes and deletions", (writer) => writer % 2 === 0],
      ];
      for (const [n, [what, isChange]] of ways.entries()) {
        const made = await client.create(subject.sample(n));
        const statuses = await Promise.all(
          others.map(async (other, writer) =>
            statusOf(
              isChange(writer)
                ? other.client.replace(idOf(made), subject.changed(n), made.version)
                : other.client.delete(idOf(made), made.version),
            ),
          ),
        );
        expectEqual(statuses.filter((status) => status === 0).length, 1, `${what} that are made`);
      }
    },
  },
  {
    rule: "preview/leaves-nothing",
    name: "a change that is tried out is answered as it would be, and nothing stays of it",
    unsupported: withoutPreviews,
    run: async ({ client, subject }) => {
      expectEqual((await client.tryCreate(subject.sample(0))).status, 201, "trying a creation");
      expectEqual((await client.list()).totalResults, 0, "how many there are");
      const made = await client.create(subject.sample(0));
      expectEqual(
        (await client.tryReplace(idOf(made), subject.changed(0))).status,
        200,
        "trying a replacement",
      );
      expectEqual((await client.tryDelete(idOf(made))).status, 204, "trying a deletion");
      expectEqual(await client.read(idOf(made)), made, "what is stored");
    },
  },
  {
    rule: "preview/beside-writes",
    name: "what is written while a change is tried out stays",
    unsupported: withoutPreviews,
    run: async ({ client, subject }) => {
      const numbers = Array.from({ length: WRITERS }, (_, n) => n);
      const [made] = await Promise.all([
        Promise.all(numbers.map(async (n) => client.create(subject.sample(n)))),
        Promise.all(numbers.map(async (n) => client.tryCreate(subject.sample(WRITERS + n)))),
      ]);
      for (const each of made) expectEqual(await client.read(idOf(each)), each, "what was written meanwhile");
      expectEqual((await client.list()).totalResults, WRITERS, "how many there are");
    },
  },
];
