/**
 * Whether a resource is what a change was to make of it, as far as that is to be seen.
 * @module
 */
import { isJsonArray, isJsonObject, type Attribute, type JsonObject, type JsonValue } from "@scim/schemas";
import { compare, compareAddition, isWorkedOut } from "../comparison/compare.ts";
import { worst, type Finding } from "../comparison/finding.ts";
import { isHidden, partOf, resourceAttribute } from "../comparison/resource-attribute.ts";
import { memberNamed } from "../patch/json-equality.ts";
import { operationsIn, PATH, type ReadOperation } from "./read-operation.ts";
import type { PlannedChange } from "./operation.ts";

/** A change of a resource. */
type Change = Pick<PlannedChange, "type" | "method" | "data">;

/** What a resource tells of a change that was to be made. */
export function findingOf({ type, method, data }: Change, resource: JsonObject): Finding {
  if (data === null) return "other";
  const whole = resourceAttribute(type);
  if (method === "PUT") return compare(whole, resource, { value: data, before: null });
  const operations = operationsIn(data);
  if (operations === null) return "other";
  return worst(operations.map((operation) => findingOfOperation(operation, { whole, resource })));
}

/** Whether making a change twice comes to the same: so it does of a PATCH that sets and clears whole attributes alone. */
export function isRepeatable({ method, data }: Omit<Change, "type">): boolean {
  if (method === "PUT") return true;
  return data !== null && operationsIn(data)?.every(({ where }) => where === null) === true;
}

/** Whether it can be told of a change that it is in effect: of a PATCH, where it sets and clears what stays where it is. */
export function isUnderstood({ method, data }: Omit<Change, "type">): boolean {
  return method === "PUT" || (data !== null && operationsIn(data) !== null);
}

interface Place {
  readonly whole: Attribute;
  readonly resource: JsonObject;
}

/** An attribute, where a schema names it, and what stands there. */
interface Spot {
  readonly name: string;
  readonly attribute: Attribute | undefined;
  readonly found: JsonValue | undefined;
}

function findingOfOperation({ path, where, sub, ...set }: ReadOperation, place: Place): Finding {
  const spots = spotsOf(path, place);
  const [last, holder] = spots.toReversed();
  if (last === undefined) return "other";
  if (
    last.found === undefined &&
    spots.some(({ attribute }) => attribute !== undefined && isHidden(attribute))
  )
    return "untold";
  if (where !== null) return findingOfValues(last, where, { sub, ...set });
  // A part of a list is that part of each of its values.
  if (holder?.attribute?.multiValued === true) return findingOfValues(holder, {}, { ...set, sub: last.name });
  return findingOfSet(last, set);
}

/** What the names of a path lead to, the resource first. */
function spotsOf(path: string, { whole, resource }: Place): readonly Spot[] {
  let spot: Spot = { name: whole.name, attribute: whole, found: resource };
  const spots = [spot];
  for (const name of namesIn(path, { whole, resource })) {
    const { attribute, found } = spot;
    spot = {
      name,
      attribute: partOf(attribute, name),
      found: found !== undefined && isJsonObject(found) ? memberNamed(found, name) : undefined,
    };
    spots.push(spot);
  }
  return spots;
}

/**
 * The names that lead to what a path means. The URN of an extension is a member of the resource; that of the schema which
 * the resource itself is of is none.
 */
function namesIn(path: string, { whole, resource }: Place): readonly string[] {
  if (path === "") return [];
  if (partOf(whole, path) !== undefined || memberNamed(resource, path) !== undefined) return [path];
  const [urn, ...names] = PATH.exec(path)?.slice(1) ?? [];
  const own = names.filter((name) => name !== undefined);
  return urn === undefined || urn.toLowerCase() === whole.name.toLowerCase() ? own : [urn, ...own];
}

type Setting = Pick<ReadOperation, "value" | "isAddition">;

function findingOfSet({ attribute, found }: Omit<Spot, "name">, { value, isAddition }: Setting): Finding {
  if (value === undefined)
    return found === undefined ? compare(attribute, undefined, { value, before: null }) : "other";
  const isList = attribute?.multiValued ?? isJsonArray(value);
  if (isList && isAddition) return compareAddition(attribute, found, value);
  if (isList || !isJsonObject(value)) return compare(attribute, found, { value, before: null });
  // What is not named in a complex value stays as it is.
  const parts = found === undefined || !isJsonObject(found) ? {} : found;
  const findings = Object.entries(value).map(([name, each]): Finding => {
    if (isWorkedOut(attribute, value, name)) return "same";
    const spot = { attribute: partOf(attribute, name), found: memberNamed(parts, name) };
    return findingOfSet(spot, { value: each ?? undefined, isAddition });
  });
  return worst(findings);
}

interface ValueSetting extends Setting {
  readonly sub: string | null;
}

/** What the values of a list that are meant tell. */
function findingOfValues(
  { attribute, found }: Omit<Spot, "name">,
  where: JsonObject,
  { sub, value, isAddition }: ValueSetting,
): Finding {
  const looked = Object.keys(where).map((name) => partOf(attribute, name));
  // Of what no schema names, nobody knows which values the service takes for equal.
  if (looked.some((part) => part === undefined || isHidden(part))) return "untold";
  if (found === undefined) return "other";
  const values = (isJsonArray(found) ? found : [found]).filter(
    (each: JsonValue): each is JsonObject => isJsonObject(each) && isMeant(attribute, each, where),
  );
  if (sub === null) return values.length === 0 ? "same" : "other";
  if (values.length === 0 && value !== undefined) return "other";
  const part = partOf(attribute, sub);
  if (values.length === 0) return compare(part, undefined, { value: undefined, before: null });
  return worst(
    values.map((each) =>
      findingOfSet({ attribute: part, found: memberNamed(each, sub) }, { value, isAddition }),
    ),
  );
}

/** Whether a filter of equalities selects a value. */
function isMeant(attribute: Attribute | undefined, value: JsonObject, where: JsonObject): boolean {
  return Object.entries(where).every(
    ([name, sent]) =>
      compare(partOf(attribute, name), memberNamed(value, name), { value: sent, before: [] }) === "same",
  );
}
