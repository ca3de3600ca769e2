/**
 * A service of a generated resource type, for one case of a law.
 * @module
 */
import { register, shapeOf, type TypeShape, type World } from "@scim/fixtures/arbitraries";
import type { JsonObject } from "@scim/schemas";
import type { TestClient } from "../support/client.ts";
import { testService, type TestService } from "../support/service.ts";

/** A world that is served. */
export interface TriedWorld extends TestService {
  readonly thing: TypeShape;
  /** A client under the strict profile. */
  readonly client: TestClient;
}

/** Serves a world. */
export function tryWorld(world: World): TriedWorld {
  const service = testService((registry) => {
    register(world, registry);
  });
  return { ...service, thing: shapeOf(service.registry, "Thing"), client: service.as("strict") };
}

/** A resource without its `id` and `meta`. */
export function withoutMeta({ id: _id, meta: _meta, ...values }: JsonObject): JsonObject {
  return values;
}

/** Names for `attributes` that show all that is ever shown: the base schema, the extensions and what is in them. */
export function attributesShownOnRequest({ type, attributes, extensions }: TypeShape): readonly string[] {
  const parts = [
    { prefix: "", attributes },
    ...extensions.map((extension) => ({ prefix: `${extension.urn}:`, attributes: extension.attributes })),
  ];
  return [
    type.schema,
    ...extensions.map(({ urn }) => urn),
    ...parts.flatMap((part) =>
      part.attributes.flatMap(({ name, subAttributes }) => [
        `${part.prefix}${name}`,
        ...subAttributes.map((sub) => `${part.prefix}${name}.${sub.name}`),
      ]),
    ),
  ];
}
