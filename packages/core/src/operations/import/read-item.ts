/**
 * Reads the resource of an item: as a POST does, but for what an import may bring along.
 * @module
 */
import { utcInstant, type ComparisonKey } from "@scim/filter";
import { isJsonObject, ScimError, type JsonValue } from "@scim/schemas";
import type { MutableObject } from "../../attributes/json-object.ts";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { AttributeNode } from "../../model/attribute-node.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import { takeCollections, type CollectionValues } from "../../plan/collections.ts";
import { keysOf } from "../../plan/entries.ts";
import { readBody } from "../body.ts";
import { capabilitiesOf, type IdForm } from "../../store/capabilities.ts";
import { stateEntries, type StateEntries } from "../creation-plan.ts";
import type { RequestSecrets } from "../../secrets/request-secrets.ts";
import type { ImportItem } from "./import-request.ts";

/** An item as it was read. */
export interface ReadItem {
  readonly item: ImportItem;
  readonly model: ResourceModel;
  /** Without collections. */
  readonly body: MutableObject;
  readonly collections: CollectionValues;
  readonly defaulted: ReadonlySet<AttributeNode>;
  readonly secrets: RequestSecrets;
  /** The id that it keeps, or null. */
  readonly id: string | null;
  /** When it was created elsewhere, or null. */
  readonly created: string | null;
  readonly entries: StateEntries;
  /** What finds the resource of the item: the first that is found counts. */
  readonly identities: readonly Identity[];
}

/** A value that identifies a resource. */
export interface Identity {
  readonly node: AttributeNode;
  readonly key: ComparisonKey;
  /** The scope in which the service keeps it unique, or null. */
  readonly unique: string | null;
  /** A record before that goes by this value alone, and so means the resource that has it. */
  readonly claimedBy?: number;
}

/** Whether an identity is a name that several resources may bear: an `externalId` tells whose they are. */
export function isName({ node, unique }: Identity): boolean {
  return unique === null && node.attribute.name !== "externalId";
}

/** Where a search stands (RFC 7644 §3.4.3), and what addresses lose (RFC 3986 §5.2.4). */
const NO_ADDRESS: ReadonlySet<string> = new Set([".search", ".", ".."]);
/** Reserved (RFC 7643 §3.1). */
const BULK_ID = "bulkId";

/**
 * Reads an item.
 * @throws ScimError as a POST of the body would be answered
 */
export function readItem(
  environment: Environment,
  context: RequestContext,
  { item, keepIds }: { readonly item: ImportItem; readonly keepIds: boolean },
): ReadItem {
  const model = environment.catalog.model(item.type);
  if (model.rows !== null) {
    throw new ScimError("invalidValue", `${model.name} shows rows of ${model.rows.type}: import these.`);
  }
  const kept: Kept = { id: null, created: null };
  const { ids } = capabilitiesOf(environment.store, model.name);
  const onReadOnly = (node: AttributeNode, value: JsonValue): void => {
    if (node.storage === "inverse") return;
    if (node.storage !== "column") throw readOnly(node);
    if (keepIds) keep({ node, value, ids }, kept);
  };
  const read = readBody(environment, { model, body: item.body, onReadOnly, as: "import" }, context);
  const collections = takeCollections(model, read.resource);
  return {
    item,
    model,
    body: read.resource,
    collections,
    defaulted: read.defaulted,
    secrets: read.secrets,
    ...kept,
    entries: stateEntries(environment, context, { model, body: read.resource }),
    identities: identitiesOf(model, read.resource),
  };
}

interface Kept {
  id: string | null;
  created: string | null;
}

function readOnly(node: AttributeNode): ScimError {
  return new ScimError("mutability", `Attribute '${node.path}' is readOnly: leave it out.`);
}

/** A value that an import may bring along, and the form of ids. */
interface Brought {
  readonly node: AttributeNode;
  readonly value: JsonValue;
  readonly ids: IdForm;
}

function keep({ node: { attribute }, value, ids }: Brought, kept: Kept): void {
  if (attribute.name === "id") kept.id = checkedId(value, ids);
  if (attribute.name === "meta" && isJsonObject(value)) kept.created = checkedInstant(value["created"]);
}

function checkedId(value: JsonValue, { pattern, words }: IdForm): string {
  if (typeof value !== "string" || !pattern.test(value)) throw unkept(`it must be ${words}`);
  if (NO_ADDRESS.has(value)) throw unkept("no address can name it");
  if (value.includes(BULK_ID)) throw unkept(`the reserved word '${BULK_ID}' must not occur in it`);
  return value;
}

function unkept(reason: string): ScimError {
  return new ScimError("invalidValue", `Attribute 'id' cannot be kept: ${reason}.`);
}

function checkedInstant(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  const instant = typeof value === "string" ? utcInstant(value) : undefined;
  if (instant === undefined)
    throw new ScimError(
      "invalidValue",
      "Attribute 'meta.created' must be a dateTime, such as 2026-11-21T09:00:00Z.",
    );
  return instant;
}

const identifying = new WeakMap<ResourceModel, readonly AttributeNode[]>();

/**
 * The attributes that identify a resource, in the order in which they are looked for: `externalId`, then unique ones, or
 * `displayName` where none is unique.
 */
export function identifyingNodes(model: ResourceModel): readonly AttributeNode[] {
  const known = identifying.get(model);
  if (known !== undefined) return known;
  const own = (name: string): readonly AttributeNode[] => {
    const node = model.members.get(name.toLowerCase());
    return node === undefined || node.storage !== "value" || node.attribute.type !== "string" ? [] : [node];
  };
  const unique = model.indexed.filter(
    ({ attribute, parent, extension }) =>
      attribute.uniqueness !== "none" && parent === null && extension === null && attribute.type === "string",
  );
  const nodes = [...own("externalId"), ...(unique.length > 0 ? unique : own("displayName"))];
  identifying.set(model, nodes);
  return nodes;
}

function identitiesOf(model: ResourceModel, body: MutableObject): readonly Identity[] {
  const identities: Identity[] = [];
  for (const node of identifyingNodes(model)) {
    const [key] = keysOf(node, body);
    if (key === undefined) continue;
    const { uniqueness } = node.attribute;
    const unique = uniqueness === "none" ? null : uniqueness === "global" ? "global" : `type:${model.name}`;
    identities.push({ node, key, unique });
  }
  return identities;
}
