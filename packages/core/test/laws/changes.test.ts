import { isWritten, own, patches, resources, worlds, type TypeShape } from "@scim/fixtures/arbitraries";
import { isJsonObject, ScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { metaOf } from "../support/bodies.ts";
import { idOf, resourceOf, type TestClient } from "../support/client.ts";
import { attributesShownOnRequest, tryWorld } from "./try-world.ts";

// What no answer shows cannot be sent back, and a default comes back with the next PUT.
const SHOWN = { hidden: false, defaults: false };
/** Requests for each schema. */
const REQUESTS = 3;

/** The resource that a PATCH answers; null where it is refused. */
async function patchedBy(request: () => ReturnType<TestClient["patch"]>): Promise<JsonObject | null> {
  try {
    return resourceOf(await request());
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    expect(error.status).toBe(400);
    return null;
  }
}

/** The raw version that a resource says it has; an inverse adds what it was derived from. */
function versionOf(resource: JsonObject): string {
  return String(metaOf(resource, "version")).slice('W/"'.length, -1);
}

describe("laws of changes", () => {
  test("what a PATCH leads to is valid and in normal form: a PUT of it changes nothing; one that fails changes nothing", async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(
        worlds(SHOWN),
        fc.constantFrom("strict" as const, "tolerant" as const),
        fc.gen(),
        async (world, profile, draw) => {
          const { as, thing } = tryWorld(world);
          const options = { attributes: attributesShownOnRequest(thing) };
          for (let request = 0; request < REQUESTS; request += 1) {
            const client = as(profile, { tenant: `tenant ${String(request)}` });
            const id = idOf(await client.post("Thing", draw(resources, thing)));
            const before = await client.get("Thing", id, options);
            const patched = await patchedBy(() => client.patch("Thing", id, draw(patches, thing), options));
            if (patched === null) {
              expect(await client.get("Thing", id, options)).toEqual(before);
              continue;
            }
            made += 1;
            expect(await client.resource("Thing", id, options)).toEqual(patched);
            expect((await client.put("Thing", id, patched)).version).toBe(versionOf(patched));
            expect(await client.resource("Thing", id, options)).toEqual(patched);
          }
        },
      ),
      { numRuns: 70 },
    );
    // Others are refused: they change what is immutable, or select what is not there.
    expect(made).toBeGreaterThan(50);
  });

  test("a request without effect changes neither version nor date: PUT of what is there, PATCH to what is there", async () => {
    await fc.assert(
      fc.asyncProperty(worlds(SHOWN), fc.gen(), async (world, draw) => {
        const { as, thing } = tryWorld(world);
        const options = { attributes: attributesShownOnRequest(thing) };
        for (let request = 0; request < REQUESTS; request += 1) {
          const client = as("strict", { tenant: `tenant ${String(request)}` });
          const id = idOf(await client.post("Thing", draw(resources, thing)));
          const start = await client.get("Thing", id, options);
          const body = await client.resource("Thing", id, options);
          await client.put("Thing", id, body);
          expect(await client.get("Thing", id, options)).toEqual(start);
          for (const operations of withoutEffect(body, thing)) {
            expect(await client.patch("Thing", id, operations, options)).toEqual(start);
          }
        }
      }),
      { numRuns: 70 },
    );
  });
});

/** Requests that lead to the resource as it is. */
function withoutEffect(body: JsonObject, shape: TypeShape): readonly (readonly JsonObject[])[] {
  const places = [
    ...shape.attributes.map((attribute) => ({ attribute, prefix: "", holder: body })),
    ...shape.extensions.flatMap(({ urn, attributes }) => {
      const held = own(body, urn);
      const holder = isJsonObject(held) ? held : {};
      return attributes.map((attribute) => ({ attribute, prefix: `${urn}:`, holder }));
    }),
  ].filter(({ attribute }) => isWritten(attribute));
  const setting = (op: string): readonly JsonObject[] =>
    places.flatMap(({ attribute, prefix, holder }): readonly JsonObject[] => {
      const value: JsonValue | undefined = own(holder, attribute.name);
      const path = `${prefix}${attribute.name}`;
      return value === undefined ? [{ op: "remove", path }] : [{ op, path, value }];
    });
  const { schemas: _schemas, id: _id, meta: _meta, ...values } = body;
  return [
    setting("replace"),
    setting("add"),
    [{ op: "replace", value: values }],
    [{ op: "add", value: values }],
  ];
}
