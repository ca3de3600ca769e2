import { ScimError } from "@scim/schemas";
import { expect, test } from "vitest";
import type { HandledResource, ResourceHandler } from "../../src/index.ts";
import { createMemoryHandler, runHandlerContract } from "../../src/testing/index.ts";
import {
  all,
  ascii,
  northern,
  outcomes,
  ruleOf,
  takeBack,
  USERS,
  type Planted,
} from "../support/planted-bugs.ts";

/** A version that moves with the clock, by the minute. */
function byTheMinute(whole: ResourceHandler): ResourceHandler {
  const dated = (handled: HandledResource): HandledResource => ({
    ...handled,
    version: String(handled.lastModified).slice(0, 16).replaceAll(":", "."),
  });
  return {
    ...whole,
    get: async (context, id) => {
      const current = await whole.get(context, id);
      return current === null ? null : dated(current);
    },
    create: async (context, resource) => dated(await whole.create(context, resource)),
    replace: async (context, change) => {
      const versionOf = (current: HandledResource): string => change.versionOf(dated(current));
      const changed = await whole.replace(context, { ...change, versionOf });
      return changed === "conflict" ? changed : dated(changed);
    },
  };
}

/** Bugs that teams write, each by a rule that finds it out. */
const PLANTED: Planted = [
  [
    "write/gone",
    "says that it deleted what was gone",
    (whole) => ({
      ...whole,
      delete: async (context, deletion) => {
        await whole.delete(context, deletion);
        return "deleted" as const;
      },
    }),
  ],
  [
    "write/gone",
    "makes again what was deleted",
    (whole) => ({
      ...whole,
      replace: async (context, change) => {
        const changed = await whole.replace(context, change);
        if (changed !== "conflict" || (await whole.get(context, change.id)) !== null) return changed;
        return whole.create(context, { ...change, unique: change.unique.add });
      },
    }),
  ],
  [
    "version/compared",
    "deletes whatever the version",
    (whole) => ({
      ...whole,
      delete: async (context, deletion) => {
        const now = await whole.get(context, deletion.id);
        if (now === null) return "conflict";
        return whole.delete(context, { ...deletion, expectedVersion: deletion.versionOf(now) });
      },
    }),
  ],
  [
    "version/one-wins",
    "compares, waits, and deletes",
    (whole) => ({
      ...whole,
      delete: async (context, deletion) => {
        const now = await whole.get(context, deletion.id);
        if (now === null || deletion.versionOf(now) !== deletion.expectedVersion) return "conflict";
        await Promise.resolve();
        await whole.delete(context, deletion);
        return "deleted";
      },
    }),
  ],
  ["version/moves-at-once", "has a version of the clock", byTheMinute],
  [
    "tenant/writes",
    "replaces by the id alone",
    (whole) => ({ ...whole, replace: (context, change) => whole.replace(northern(context), change) }),
  ],
  [
    "tenant/writes",
    "deletes by the id alone",
    (whole) => ({ ...whole, delete: (context, deletion) => whole.delete(northern(context), deletion) }),
  ],
  [
    "read/many",
    "gets many of any tenant",
    (whole) => ({
      ...whole,
      getMany: async (context, ids) =>
        (await all(whole, northern(context))).filter(({ id }) => ids.includes(id)),
    }),
  ],
  [
    "attributes/changes",
    "forgets a column when it changes a row",
    (whole) => ({
      ...whole,
      replace: (context, { attributes: { nickName: _left, ...attributes }, ...change }) =>
        whole.replace(context, { ...change, attributes }),
    }),
  ],
  [
    "attributes/changes",
    "keeps what was taken away",
    (whole) => ({
      ...whole,
      replace: async (context, change) => {
        const before = await whole.get(context, change.id);
        const { nickName = null } = { ...before?.attributes, ...change.attributes };
        return whole.replace(context, { ...change, attributes: { ...change.attributes, nickName } });
      },
    }),
  ],
  [
    "write/dates",
    "makes a changed row anew",
    (whole) => ({
      ...whole,
      replace: async (context, change) => {
        const changed = await whole.replace(context, change);
        return changed === "conflict" ? changed : { ...changed, created: change.at };
      },
    }),
  ],
  [
    "write/unique-own",
    "takes the holder of a value for another",
    (whole) => ({
      ...whole,
      replace: async (context, change) => {
        const before = await whole.get(context, change.id);
        const isRespelled =
          before !== null &&
          ascii(before.attributes) === ascii(change.attributes) &&
          before.attributes["userName"] !== change.attributes["userName"];
        if (isRespelled) throw new ScimError("uniqueness", "Taken.");
        return whole.replace(context, change);
      },
    }),
  ],
  [
    "write/unique-letters",
    "folds letters of ASCII alone",
    (whole) => ({
      ...whole,
      create: (context, resource) => {
        const unique = resource.unique.map((entry) => ({ ...entry, key: ascii(resource.attributes) }));
        return whole.create(context, { ...resource, unique });
      },
    }),
  ],
  [
    "write/unique-at-once",
    "looks for another holder before it changes a row, and not as it does",
    (whole) => ({
      ...whole,
      replace: async (context, change) => {
        const others = (await all(whole, context)).filter(({ id }) => id !== change.id);
        if (others.some(({ attributes }) => ascii(attributes) === ascii(change.attributes)))
          throw new ScimError("uniqueness", "Taken.");
        await Promise.resolve();
        return whole.replace(context, { ...change, unique: { add: [], remove: change.unique.remove } });
      },
    }),
  ],
  [
    "write/at-once",
    "takes back the writes of others with one that is refused",
    (whole) => ({
      ...whole,
      create: async (context, resource) => {
        try {
          return await whole.create(context, resource);
        } catch (error) {
          await takeBack(whole, context);
          throw error;
        }
      },
    }),
  ],
  [
    "preview/leaves-nothing",
    "deletes as it tries a deletion out",
    (whole) => ({
      ...whole,
      delete: (context, deletion) => whole.delete(context, { ...deletion, dryRun: false }),
    }),
  ],
  [
    "preview/beside-writes",
    "takes back the writes of others with what it tried out",
    (whole) => ({
      ...whole,
      create: async (context, resource) => {
        const made = await whole.create(context, resource);
        if (resource.dryRun) await takeBack(whole, context);
        return made;
      },
    }),
  ],
];

test.each(PLANTED)("%s finds out a handler that %s", async (rule, _, plant) => {
  const findings = await runHandlerContract(
    { ...USERS, open: () => plant(createMemoryHandler()) },
    ruleOf(rule),
  );
  expect(outcomes(findings)).toEqual([`broken ${rule}`]);
});
