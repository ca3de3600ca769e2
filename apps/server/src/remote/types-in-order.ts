/**
 * Resource types in an order in which what others refer to comes before them, whatever order a service lists them in.
 * @module
 */
import type { ClientResourceType } from "@scim/client";
import { referencedTypes, resolveAttribute } from "@scim/schemas";

/** Each type behind those that clients may refer to from it; otherwise in the order given, also where they refer to each other. */
export function typesInOrder(types: readonly ClientResourceType[]): readonly ClientResourceType[] {
  const named = new Map(types.map((type) => [type.name.toLowerCase(), type]));
  const met = new Set<ClientResourceType>();
  const ordered: ClientResourceType[] = [];
  const visit = (type: ClientResourceType): void => {
    if (met.has(type)) return;
    met.add(type);
    for (const name of namesReferredTo(type)) {
      const other = named.get(name.toLowerCase());
      if (other !== undefined) visit(other);
    }
    ordered.push(type);
  };
  for (const type of types) visit(type);
  return ordered;
}

/** Names of types; what is readOnly is worked out by the service. */
function namesReferredTo({ schema, extensions }: ClientResourceType): readonly string[] {
  return [schema, ...extensions].flatMap(({ attributes }) =>
    attributes.flatMap((attribute) =>
      attribute.mutability === "readOnly" ? [] : referencedTypes(resolveAttribute(attribute)),
    ),
  );
}
