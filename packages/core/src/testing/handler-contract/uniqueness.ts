/**
 * Rules of values that no two resources of a tenant may hold.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { expectEqual, expectTrue } from "../contract/expect.ts";
import { another } from "./another.ts";
import type { HandlerRule } from "./rule.ts";
import { idOf, statusOf, type OpenSubject } from "./subject.ts";

/** Writes at the same time. */
const AT_ONCE = 8;

/** The same text to all who compare without regard to letter case. */
const [SMALL, GREAT] = ["zoë-ñandú", "ZOË-ÑANDÚ"];

export const UNIQUENESS_RULES: readonly HandlerRule[] = [
  {
    rule: "write/unique",
    name: "a value that must be unique is refused to a second resource, in any letter case, and nothing is written",
    unsupported: withoutUnique,
    run: async (opened) => {
      const { client, subject } = opened;
      const made = await client.create(subject.sample(0));
      const other = await client.create(subject.sample(1));
      for (const { name, folds, changes } of uniqueNames(opened)) {
        const value = subject.sample(0)[name] ?? null;
        const spelled = typeof value === "string" && folds ? [value, value.toUpperCase()] : [value];
        for (const taken of spelled) {
          expectEqual(
            await statusOf(client.create({ ...subject.sample(2), [name]: taken })),
            409,
            `creating with the ${name} of another, ${JSON.stringify(taken)}`,
          );
          if (!changes) continue;
          expectEqual(
            await statusOf(client.replace(idOf(other), { ...subject.sample(1), [name]: taken })),
            409,
            `replacing with the ${name} of another, ${JSON.stringify(taken)}`,
          );
        }
      }
      expectEqual(await client.read(idOf(made)), made, "the holder");
      expectEqual(await client.read(idOf(other)), other, "the other");
      expectEqual((await client.list()).totalResults, 2, "how many there are");
    },
  },
  {
    rule: "write/unique-letters",
    name: "letters beyond ASCII have two cases too: a unique value of them is refused to a second resource, or to the first",
    unsupported: withoutUnique,
    run: async (opened) => {
      const { client, subject } = opened;
      for (const { name, folds } of uniqueNames(opened)) {
        if (!folds || typeof subject.sample(0)[name] !== "string") continue;
        const statuses: number[] = [];
        for (const [n, text] of [SMALL, GREAT].entries())
          statuses.push(await statusOf(client.create({ ...subject.sample(n), [name]: text })));
        const [first = 0, second] = statuses;
        if (first === 0) expectEqual(second, 409, `creating with '${name}' ${GREAT} beside ${SMALL}`);
        else expectTrue(first < 500, `creating with '${name}' ${SMALL} is refused as a fault of the client`);
      }
    },
  },
  {
    rule: "write/unique-own",
    name: "a resource may respell its unique value, and one that it gives up is free",
    unsupported: withoutUnique,
    run: async (opened) => {
      const { client, subject } = opened;
      for (const { name, folds, changes } of uniqueNames(opened)) {
        if (!changes) continue;
        const sample = subject.sample(0);
        const value = sample[name];
        const made = await client.create(sample);
        if (typeof value === "string" && folds) {
          const respelled = { ...sample, [name]: swapped(value) };
          const { resource } = await client.replace(idOf(made), respelled);
          expectEqual(resource[name], swapped(value), `the ${name} that is spelled otherwise`);
        }
        await client.replace(idOf(made), { ...sample, [name]: subject.sample(1)[name] ?? null });
        // What else must be unique belongs to the first as before.
        const next = await client.create({ ...subject.sample(2), [name]: value ?? null });
        for (const each of [made, next]) await client.delete(idOf(each));
      }
    },
  },
  {
    rule: "write/unique-at-once",
    name: "of many writes of one unique value at the same time exactly one is made",
    unsupported: withoutUnique,
    run: async (opened) => {
      const { client, subject } = opened;
      const tries = Array.from({ length: AT_ONCE }, () => statusOf(client.create(subject.sample(0))));
      const made = (await Promise.all(tries)).filter((status) => status === 0);
      expectEqual([made.length, (await client.list()).totalResults], [1, 1], "how many are created");
      const others = await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, n) => client.create(subject.sample(n + 1))),
      );
      for (const { name, changes } of uniqueNames(opened)) {
        if (!changes) continue;
        const value = subject.sample(AT_ONCE + 1)[name] ?? null;
        const moves = others.map(async (other, n) => {
          const { client: own } = await another(opened);
          return statusOf(own.replace(idOf(other), { ...subject.sample(n + 1), [name]: value }));
        });
        const moved = (await Promise.all(moves)).filter((status) => status === 0);
        expectEqual(moved.length, 1, `how many get one ${name} by a change`);
      }
    },
  },
];

function withoutUnique(opened: OpenSubject): string | null {
  return uniqueNames(opened).length > 0 ? null : "samples have no value that must be unique";
}

interface UniqueName {
  readonly name: string;
  /** Whether letter case makes no difference. */
  readonly folds: boolean;
  /** Whether a change may give it another value. */
  readonly changes: boolean;
}

/** The attributes of samples that must be unique. */
function uniqueNames({ model, subject }: OpenSubject): readonly UniqueName[] {
  const sample: JsonObject = subject.sample(0);
  return model.indexed
    .filter(({ attribute, keys }) => attribute.uniqueness !== "none" && keys.length === 1)
    .map(({ attribute }) => ({
      name: attribute.name,
      folds: !attribute.caseExact,
      changes: attribute.mutability !== "immutable",
    }))
    .filter(({ name }) => Object.hasOwn(sample, name));
}

function swapped(text: string): string {
  const upper = text.toUpperCase();
  return upper === text ? text.toLowerCase() : upper;
}
