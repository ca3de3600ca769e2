import { filterTargets, resources, spelled, worlds, type TypeShape } from "@scim/fixtures/arbitraries";
import { printAttributePath } from "@scim/filter/ast";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idOf } from "../support/client.ts";
import { attributesShownOnRequest, tryWorld, withoutMeta, type TriedWorld } from "./try-world.ts";

/** Lists of names for each schema. */
const LISTS = 3;

/** Names of attributes of a type as clients may write them, those never returned included. */
function names(shape: TypeShape): fc.Arbitrary<readonly string[]> {
  const paths = filterTargets(shape).map(({ path }) => printAttributePath(path));
  return fc.array(fc.constantFrom(...paths).chain(spelled), { minLength: 1, maxLength: 4 });
}

/** A service with one resource, which a Holder refers to. */
async function withResource(world: TriedWorld, body: JsonObject): Promise<string> {
  const id = idOf(await world.client.post("Thing", body));
  await world.client.post("Holder", {
    schemas: ["urn:example:params:scim:schemas:core:2.0:Holder"],
    things: [{ value: id }],
  });
  return id;
}

/** The paths of the values of a representation, each with the values there, wherever in a list they stand. */
function leavesOf(value: JsonValue, path = ""): readonly (readonly [path: string, leaf: string])[] {
  if (isJsonArray(value)) return value.flatMap((each) => leavesOf(each, path));
  if (!isJsonObject(value)) return [[path, `${path} = ${JSON.stringify(value)}`]];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${path}/${name}`));
}

function leaves(...representations: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(representations.flatMap((each) => leavesOf(withoutMeta(each))).map(([, leaf]) => leaf));
}

/** Values that a representation holds and others do not. */
function beyond(representation: JsonObject, ...others: readonly JsonObject[]): readonly string[] {
  const known = leaves(...others);
  return [...leaves(representation)].filter((leaf) => !known.has(leaf));
}

/** Beginnings of the paths of what is returned always. */
function alwaysShown({ attributes, extensions }: TypeShape): readonly string[] {
  const parts = [
    { prefix: "/", attributes },
    ...extensions.map((extension) => ({ prefix: `/${extension.urn}/`, attributes: extension.attributes })),
  ];
  return parts.flatMap((part) =>
    part.attributes.flatMap((attribute) =>
      [attribute, ...attribute.subAttributes]
        .filter(({ returned }) => returned === "always")
        .map((each) => `${part.prefix}${attribute.name}${each === attribute ? "" : `/${each.name}`}`),
    ),
  );
}

describe("laws of projection", () => {
  const cases = fc.tuple(worlds({ hidden: true, defaults: false }), fc.gen());

  test("attributes: the order and the number of times that a name stands there mean nothing, and more names show no less", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([world, draw]) => {
        const tried = tryWorld(world);
        const id = await withResource(tried, draw(resources, tried.thing));
        const shown = (attributes: readonly string[]): Promise<JsonObject> =>
          tried.client.resource("Thing", id, { attributes });
        for (let list = 0; list < LISTS; list += 1) {
          const [some, others] = [draw(names, tried.thing), draw(names, tried.thing)];
          const once = await shown(some);
          expect(await shown([...some.toReversed(), ...some])).toEqual(once);
          expect(beyond(once, await shown([...some, ...others]))).toEqual([]);
        }
      }),
      { numRuns: 70 },
    );
  });

  test("excludedAttributes: what is left out is shown by attributes, and together they are the whole", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([world, draw]) => {
        const tried = tryWorld(world);
        const { client, thing } = tried;
        const id = await withResource(tried, draw(resources, thing));
        const everything = await client.resource("Thing", id, {
          attributes: attributesShownOnRequest(thing),
        });
        const whole = await client.resource("Thing", id);
        for (let list = 0; list < LISTS; list += 1) {
          const chosen = draw(names, thing);
          const rest = await client.resource("Thing", id, { excludedAttributes: chosen });
          const part = await client.resource("Thing", id, { attributes: chosen });
          expect(beyond(rest, whole)).toEqual([]);
          expect(beyond(part, everything)).toEqual([]);
          expect(beyond(whole, part, rest)).toEqual([]);
          const both = new Set(leavesOf(withoutMeta(part)).map(([path]) => path));
          const twice = leavesOf(withoutMeta(rest)).filter(([path]) => both.has(path));
          const always = ["/schemas", ...alwaysShown(thing)];
          expect(
            twice.filter(([path]) => !always.some((start) => `${path}/`.startsWith(`${start}/`))),
          ).toEqual([]);
        }
      }),
      { numRuns: 70 },
    );
  });

  test("the version of a write is the same in every projection", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([world, draw]) => {
        const tried = tryWorld(world);
        const id = await withResource(tried, draw(resources, tried.thing));
        const write = async (options: object): Promise<string | undefined> =>
          (await tried.client.get("Thing", id, options)).version.split("~")[0];
        const version = await write({});
        for (let list = 0; list < LISTS; list += 1) {
          const chosen = draw(names, tried.thing);
          expect(await write({ attributes: chosen })).toBe(version);
          expect(await write({ excludedAttributes: chosen })).toBe(version);
        }
      }),
      { numRuns: 70 },
    );
  });
});
