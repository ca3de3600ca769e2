/**
 * Compares two versions of a resource type.
 * @module
 */
import { RESOURCE_OPERATIONS, type ResourceTypeDefinition } from "../resource-type.ts";
import { isSameUrn } from "../urns.ts";
import type { ResourceTypeDifference } from "./difference.ts";

/**
 * What a new version of a resource type has other than the old one; empty where they say the same. A registry refuses
 * a breaking version, unless it is told to allow it.
 *
 * Breaking are: another name, endpoint, schema or collection of rows, an extension that is gone or newly required, fewer
 * operations, annotations that allow less (`minLength`, `maxLength`, `minimum`, `maximum`, `precision`, `scale`), and a default
 * that is gone or another. An index is not: it is built of what was stored before, too.
 *
 * @example
 * compareResourceTypes(registered, draft).some((difference) => difference.breaking);
 */
export function compareResourceTypes(
  before: ResourceTypeDefinition,
  after: ResourceTypeDefinition,
): readonly ResourceTypeDifference[] {
  return [
    ...ownDifferences(before, after),
    ...extensionDifferences(before, after),
    ...operationDifferences(before, after),
    ...annotationDifferences(before, after),
  ];
}

function ownDifferences(
  before: ResourceTypeDefinition,
  after: ResourceTypeDefinition,
): readonly ResourceTypeDifference[] {
  const differences: ResourceTypeDifference[] = [];
  if (before.name !== after.name) {
    differences.push(broken("name", `is ${after.name}, was ${before.name}: resources keep the old type`));
  }
  if (before.endpoint !== after.endpoint) {
    differences.push(
      broken("endpoint", `is ${after.endpoint}, was ${before.endpoint}: clients know the old address`),
    );
  }
  if (!isSameUrn(before.schema, after.schema)) {
    differences.push(broken("schema", `is ${after.schema}, was ${before.schema}: stored values may not fit`));
  }
  if (rowsText(before) !== rowsText(after)) {
    differences.push(broken("rowsOf", "is another: resources are kept elsewhere"));
  }
  if ((before.description ?? "") !== (after.description ?? "")) {
    differences.push({ path: "description", kind: "description", breaking: false, message: "is another" });
  }
  return differences;
}

/** What a type shows rows of, as text; empty where its resources are its own. */
function rowsText({ rowsOf }: ResourceTypeDefinition): string {
  return rowsOf === undefined ? "" : JSON.stringify([rowsOf.type, rowsOf.path, rowsOf.owner, rowsOf.value]);
}

function broken(
  kind: ResourceTypeDifference["kind"],
  message: string,
  path: string = kind,
): ResourceTypeDifference {
  return { path, kind, breaking: true, message };
}

function extensionDifferences(
  before: ResourceTypeDefinition,
  after: ResourceTypeDefinition,
): readonly ResourceTypeDifference[] {
  const old = requiredByUrn(before);
  const fresh = requiredByUrn(after);
  const urns = [...new Set([...old.keys(), ...fresh.keys()])];
  return urns.flatMap((urn) => {
    const [was, is] = [old.get(urn), fresh.get(urn)];
    if (was === is) return [];
    const path = `schemaExtensions[${urn}]`;
    const kind = "schemaExtensions";
    if (is === undefined) return [broken(kind, "is gone: its stored values are lost to clients", path)];
    if (is) return [broken(kind, "is required: stored resources may lack it", path)];
    return [{ path, kind, breaking: false, message: was === undefined ? "is new" : "is no longer required" }];
  });
}

function requiredByUrn({ schemaExtensions = [] }: ResourceTypeDefinition): ReadonlyMap<string, boolean> {
  return new Map(schemaExtensions.map(({ schema, required }) => [schema.toLowerCase(), required]));
}

function operationDifferences(
  before: ResourceTypeDefinition,
  after: ResourceTypeDefinition,
): readonly ResourceTypeDifference[] {
  const old = new Set(before.operations ?? RESOURCE_OPERATIONS);
  const fresh = new Set(after.operations ?? RESOURCE_OPERATIONS);
  const gone = [...old].filter((operation) => !fresh.has(operation));
  const come = [...fresh].filter((operation) => !old.has(operation));
  const kind = "operations";
  return [
    ...(gone.length === 0
      ? []
      : [broken(kind, `no longer hold ${gone.join(", ")}: such requests are refused`)]),
    ...(come.length === 0
      ? []
      : [{ path: kind, kind, breaking: false, message: `hold ${come.join(", ")} too` } as const]),
  ];
}

/** Annotations that bound a value: +1 where a greater bound allows more, -1 where a smaller does. */
const BOUNDS = new Map<string, 1 | -1>([
  ["minLength", -1],
  ["minimum", -1],
  ["maxLength", 1],
  ["maximum", 1],
  ["precision", 1],
  ["scale", 1],
]);

type Annotated = string | number | boolean | undefined;
type AnnotationsByPath = ReadonlyMap<string, ReadonlyMap<string, Annotated>>;

function annotationDifferences(
  before: ResourceTypeDefinition,
  after: ResourceTypeDefinition,
): readonly ResourceTypeDifference[] {
  const old = byPath(before);
  const fresh = byPath(after);
  const isNew = inNewExtension(before, after);
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((path) => {
    const names = new Set([...(old.get(path)?.keys() ?? []), ...(fresh.get(path)?.keys() ?? [])]);
    return [...names].flatMap((name) => {
      const place = `annotations[${JSON.stringify(path)}].${name}`;
      const [was, is] = [old.get(path)?.get(name), fresh.get(path)?.get(name)];
      return annotationDifference(place, name, { was, is, isNew: isNew(path) });
    });
  });
}

/** Tells the annotation paths of extensions that were not bound before: no resource has values there. */
function inNewExtension(
  before: ResourceTypeDefinition,
  after: ResourceTypeDefinition,
): (path: string) => boolean {
  const bound = requiredByUrn(before);
  const added = [...requiredByUrn(after).keys()].filter((urn) => !bound.has(urn));
  return (path) => added.some((urn) => path.startsWith(`${urn}:`));
}

function annotationDifference(
  path: string,
  name: string,
  { was, is, isNew }: { readonly was: Annotated; readonly is: Annotated; readonly isNew: boolean },
): readonly ResourceTypeDifference[] {
  if (was === is) return [];
  const breaks = isNew ? null : annotationBreaks(name, was, is);
  const what = `is ${shown(is)}, was ${shown(was)}`;
  const message = breaks === null ? what : `${what}: ${breaks}`;
  return [{ path, kind: "annotations", breaking: breaks !== null, message }];
}

function byPath({ annotations = {} }: ResourceTypeDefinition): AnnotationsByPath {
  return new Map(
    Object.entries(annotations).map(([path, annotation]) => [
      path.toLowerCase(),
      new Map<string, Annotated>(Object.entries(annotation)),
    ]),
  );
}

function annotationBreaks(name: string, was: Annotated, is: Annotated): string | null {
  const direction = BOUNDS.get(name);
  if (direction !== undefined) {
    if (is === undefined) return null;
    const isWider = was !== undefined && (Number(is) - Number(was)) * direction > 0;
    return isWider ? null : "stored values may not fit";
  }
  if (name === "default") return was === undefined ? null : "clients rely on the old default";
  return null;
}

function shown(value: Annotated): string {
  return value === undefined ? "not stated" : JSON.stringify(value);
}
