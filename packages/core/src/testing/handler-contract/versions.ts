/**
 * Rules of handlers that compare versions, and of those that try changes out.
 * @module
 */
import type { ResourceHandler } from "../../handlers/resource-handler.ts";
import { expectEqual, expectTrue } from "../contract/expect.ts";
import { withoutPreviews, withoutVersions, type HandlerRule } from "./rule.ts";
import { idOf, openSubject, statusOf } from "./subject.ts";

/** Changes at the same time. */
const WRITERS = 4;

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
    rule: "version/one-wins",
    name: "of many changes that expect one version exactly one is made: the handler compares as it writes",
    unsupported: withoutVersions,
    run: async ({ client, handler, subject }) => {
      const made = await client.create(subject.sample(0));
      // Each through a service of its own: one service lets changes of a resource take turns.
      const open = (): ResourceHandler => handler;
      const others = await Promise.all(
        Array.from({ length: WRITERS }, async () => openSubject({ ...subject, open })),
      );
      const statuses = await Promise.all(
        others.map(async (other) =>
          statusOf(other.client.replace(idOf(made), subject.changed(0), made.version)),
        ),
      );
      expectEqual(statuses.filter((status) => status === 0).length, 1, "changes that are made");
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
      expectEqual(await client.read(idOf(made)), made, "what is stored");
    },
  },
];
