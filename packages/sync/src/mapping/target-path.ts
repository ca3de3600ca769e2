/**
 * The place in a resource that a path of a mapping names.
 * @module
 */
import type { ClientResourceType } from "@scim/client";
import { FilterSyntaxError, parsePatchPath, type FilterNode, type PatchPath } from "@scim/filter";
import { COMMON_ATTRIBUTES, resolveAttribute, type Attribute, type AttributeDefinition } from "@scim/schemas";

/** Sub-attributes that tell one value of a list from the others, with what they hold. */
export type ValueKey = ReadonlyMap<string, string | number | boolean>;

/** A place. */
export interface TargetPath {
  /** As the mapping states it. */
  readonly text: string;
  /** URN of the extension that holds the attribute; null for the type's own schema. */
  readonly extension: string | null;
  readonly attribute: Attribute;
  /** Its sub-attribute, where the path names one. */
  readonly sub: Attribute | null;
  /** Which value of a list; null where the path does not say. */
  readonly key: ValueKey | null;
}

/**
 * Finds what a path names in a resource type.
 * @throws TypeError saying what is wrong and what to do, for people
 */
export function targetPath(type: ClientResourceType, text: string): TargetPath {
  const parsed = parse(text);
  const { extension, attribute } = attributeOf(type, parsed, text);
  const named = parsed.filter === null ? parsed.path.subAttribute : parsed.subAttribute;
  const sub = named === null ? null : (byName(attribute.subAttributes, named) ?? null);
  if (named !== null && sub === null)
    throw new TypeError(
      `'${attribute.name}' has no sub-attribute '${named}'; it has ${names(attribute.subAttributes)}.`,
    );
  const written = sub ?? attribute;
  if (attribute.mutability === "readOnly" || written.mutability === "readOnly")
    throw new TypeError(`'${text}' is readOnly: the service sets it. Take it out of the mapping.`);
  if (parsed.filter === null) return { text, extension, attribute, sub, key: null };
  if (!attribute.multiValued)
    throw new TypeError(`'${text}' selects a value, but '${attribute.name}' is no list.`);
  if (sub === null) throw new TypeError(`'${text}' ends in no sub-attribute: write '${text}.value'.`);
  return { text, extension, attribute, sub, key: new Map(equalities(parsed.filter, attribute, text)) };
}

function parse(text: string): PatchPath {
  try {
    return parsePatchPath(text);
  } catch (cause) {
    if (!(cause instanceof FilterSyntaxError)) throw cause;
    throw new TypeError(`'${text}' is no attribute path: ${cause.message}`, { cause });
  }
}

function attributeOf(
  type: ClientResourceType,
  { path }: PatchPath,
  text: string,
): Pick<TargetPath, "extension" | "attribute"> {
  const urn = path.urn?.toLowerCase() ?? null;
  const extension = type.extensions.find(({ id }) => id.toLowerCase() === urn) ?? null;
  if (urn !== null && extension === null && urn !== type.schema.id.toLowerCase()) {
    const known = type.extensions.map(({ id }) => id).join(", ");
    throw new TypeError(
      `The target's ${type.name} has no extension '${path.urn ?? ""}'; it has ${known === "" ? "none" : known}.`,
    );
  }
  const definitions: readonly AttributeDefinition[] = extension?.attributes ?? [
    ...COMMON_ATTRIBUTES,
    ...type.schema.attributes,
  ];
  const wanted = path.attribute.toLowerCase();
  const found = definitions.find(({ name }) => name.toLowerCase() === wanted);
  if (found !== undefined) return { extension: extension?.id ?? null, attribute: resolveAttribute(found) };
  const holder = type.extensions.find(({ attributes }) =>
    attributes.some(({ name }) => name.toLowerCase() === wanted),
  );
  const hint =
    holder === undefined
      ? `it has ${names(definitions.filter(({ mutability }) => mutability !== "readOnly"))}`
      : `an extension has: write '${holder.id}:${text}'`;
  throw new TypeError(`The target's ${type.name} has no attribute '${path.attribute}'; ${hint}.`);
}

function* equalities(
  filter: FilterNode,
  attribute: Attribute,
  text: string,
): Generator<[string, string | number | boolean], void, undefined> {
  if (filter.kind === "and") {
    for (const operand of filter.operands) yield* equalities(operand, attribute, text);
    return;
  }
  const sub =
    filter.kind === "comparison" && filter.path.urn === null && filter.path.subAttribute === null
      ? byName(attribute.subAttributes, filter.path.attribute)
      : undefined;
  if (filter.kind !== "comparison" || filter.operator !== "eq" || filter.value === null || sub === undefined)
    throw new TypeError(`'${text}' may select by equalities alone, such as emails[type eq "work"].value.`);
  yield [sub.name, filter.value];
}

function byName(attributes: readonly Attribute[], name: string): Attribute | undefined {
  return attributes.find((each) => each.name.toLowerCase() === name.toLowerCase());
}

function names(attributes: readonly { readonly name: string }[]): string {
  return attributes.map(({ name }) => name).join(", ");
}
