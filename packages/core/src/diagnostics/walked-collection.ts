/**
 * The reference collections of the resource types, as diagnostics walk them: found in the schemas, by no name.
 * @module
 */
import type { InverseCollection } from "../model/attribute-node.ts";
import type { ModelCatalog } from "../model/catalog.ts";
import type { ResourceModel } from "../model/resource-model.ts";

/** A reference collection of a resource type. */
export interface WalkedCollection {
  /** Name of the resource type that owns it, such as `Group`. */
  readonly type: string;
  /** Attribute path in it, such as `members`. */
  readonly path: string;
  /** Resource types that are served and that its values may name. */
  readonly targets: readonly string[];
  /** Whether nothing else can be named: otherwise an id that is not found may be one of another type. */
  readonly isClosed: boolean;
  /** The targets that show who holds them, such as `User` by its `groups`. */
  readonly shown: readonly string[];
  /** Who holds a resource, by this collection and those that are shown together with it. */
  readonly holders: InverseCollection;
}

/** The collections of all resource types, in the order of their registration. */
export function walkedCollections(catalog: ModelCatalog): readonly WalkedCollection[] {
  const models = catalog.models();
  const served = new Set(models.filter(({ rows }) => rows === null).map(({ name }) => name));
  return models
    .filter(({ name }) => served.has(name))
    .flatMap((model) =>
      model.collections.map(({ node, types }): WalkedCollection => {
        const place = { type: model.name, collection: node.path };
        const showing = models.filter(
          (each) => types.includes(each.name) && inverseOf(each, place) !== undefined,
        );
        const [first] = showing;
        const shownAs = first === undefined ? undefined : inverseOf(first, place);
        return {
          type: model.name,
          path: node.path,
          targets: types.filter((type) => served.has(type)),
          isClosed: types.every((type) => served.has(type)),
          shown: showing.map(({ name }) => name),
          holders: shownAs ?? { node, sources: [{ ...place, displayKey: null }] },
        };
      }),
    );
}

/** The attribute of a type that shows who holds its resources in a collection. */
function inverseOf(
  model: ResourceModel,
  place: { readonly type: string; readonly collection: string },
): InverseCollection | undefined {
  return model.inverses.find(({ sources }) =>
    sources.some(({ type, collection }) => type === place.type && collection === place.collection),
  );
}
