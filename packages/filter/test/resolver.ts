/**
 * A resolver over the schemas of the test tables.
 * @module
 */
import type { AttributePath, AttributeResolver, BoundPath, ComparableType, Resolution } from "@scim/filter";
import { schemaCases } from "./cases.ts";
import type { SchemaCase } from "./cases.ts";

const FORM = /^(\w+)(!?)(\*?)( hidden)?$/;

interface Found {
  readonly keys: readonly string[];
  readonly code: string;
}

/** Resolves the paths of one resource type; with `root`, what the type lacks has no value. */
export function resolverOf(resourceType: string, root = false): AttributeResolver {
  const schemas = schemaCases.filter(
    (each) => each.resourceType === null || each.resourceType === resourceType,
  );
  return {
    resolve: (path, within) => {
      const found = within === null ? resolveTop(path, schemas) : resolveWithin(path, within, schemas);
      return found === "unknown" && root ? "noValue" : found;
    },
  };
}

function resolveTop(path: AttributePath, schemas: readonly SchemaCase[]): Resolution {
  const alone = schemas.find(
    (each) => each.extension && isSame(each.schema, `${path.urn ?? ""}:${path.attribute}`),
  );
  if (alone?.schema !== undefined && alone.schema !== null) {
    return bound({ keys: [alone.schema], code: "complex" }, alone.schema);
  }
  for (const schema of schemas.filter((each) => isMeant(each, path.urn))) {
    const found = find(schema, names(path));
    if (found !== undefined)
      return found.code.endsWith("hidden") ? "hidden" : bound(found, found.keys.join("."));
  }
  return "unknown";
}

// Common attributes belong to every base schema; extensions want their URN.
function isMeant(schema: SchemaCase, urn: string | null): boolean {
  if (schema.resourceType === null) return true;
  return urn === null ? !schema.extension : isSame(schema.schema, urn);
}

function resolveWithin(path: AttributePath, within: BoundPath, schemas: readonly SchemaCase[]): Resolution {
  for (const schema of schemas) {
    const parent = find(schema, within.keys.at(-1) ?? "");
    const found = parent && find(schema, `${within.keys.at(-1) ?? ""}.${path.attribute}`);
    const name = found?.keys.at(-1);
    if (found !== undefined && name !== undefined)
      return bound({ keys: [name], code: found.code }, found.keys.join("."));
  }
  return "unknown";
}

function names(path: AttributePath): string {
  return path.subAttribute === null ? path.attribute : `${path.attribute}.${path.subAttribute}`;
}

function find(schema: SchemaCase, wanted: string): Found | undefined {
  const entry = Object.entries(schema.attributes).find(([name]) => isSame(name, wanted));
  if (entry === undefined) return undefined;
  const prefix = schema.extension && schema.schema !== null ? [schema.schema] : [];
  return { keys: [...prefix, ...entry[0].split(".")], code: entry[1] };
}

function isSame(a: string | null, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}

function bound({ keys, code }: Found, path: string): BoundPath {
  const [, type, exact, multiple] = FORM.exec(code) ?? [];
  return {
    keys,
    path,
    // The table holds no other types.
    type: type as ComparableType,
    caseExact: exact === "!",
    multiValued: multiple === "*",
    missingIsFalse: keys.at(-1) === "primary",
    handle: null,
  };
}
