/**
 * Services over a store, with a custom resource type beside User and Group, and requests on behalf of one caller.
 * @module
 */
import {
  createScimService,
  PROFILES,
  type ListAnswer,
  type ListRequest,
  type OperatorService,
  type RequestContext,
  type ResourceStore,
  type ScimService,
} from "@scim/core";
import {
  createDefaultRegistry,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type SchemaRegistry,
} from "@scim/schemas";

/** URN of a type that refers to Users, with attributes that have an index and attributes that have none. */
export const PROJECT = "urn:example:params:scim:schemas:core:2.0:Project";
/** URN of its extension. */
export const BUDGET = "urn:example:params:scim:schemas:extension:acme:1.0:Budget";

/** A registry of User, Group and projects. */
export function projects(): SchemaRegistry {
  const registry = createDefaultRegistry();
  registry.addSchema({
    id: PROJECT,
    name: "Project",
    attributes: [
      { name: "code", type: "string", caseExact: true },
      { name: "size", type: "integer" },
      { name: "started", type: "dateTime" },
      { name: "note", type: "string" },
      { name: "tags", type: "string", multiValued: true },
      {
        name: "phases",
        type: "complex",
        multiValued: true,
        subAttributes: [
          { name: "value", type: "string" },
          { name: "primary", type: "boolean" },
        ],
      },
      {
        name: "lead",
        type: "complex",
        subAttributes: [
          { name: "value", type: "string", caseExact: true },
          { name: "$ref", type: "reference", referenceTypes: ["User"], caseExact: true },
        ],
      },
      {
        name: "owners",
        type: "complex",
        multiValued: true,
        subAttributes: [
          { name: "value", type: "string", caseExact: true },
          { name: "$ref", type: "reference", referenceTypes: ["User"], caseExact: true },
        ],
      },
    ],
  });
  registry.addSchema({
    id: BUDGET,
    name: "Budget",
    attributes: [
      { name: "amount", type: "decimal" },
      { name: "currency", type: "string" },
    ],
  });
  registry.addResourceType({
    name: "Project",
    endpoint: "/Projects",
    schema: PROJECT,
    schemaExtensions: [{ schema: BUDGET, required: false }],
    annotations: {
      code: { indexed: true },
      size: { indexed: true },
      [`${BUDGET}:amount`]: { indexed: true },
      "lead.$ref": { indexed: true },
    },
  });
  return registry;
}

/** What a service serves, and how many digits its ids have at least. */
export interface ServiceOptions {
  readonly registry?: SchemaRegistry;
  readonly idDigits?: number;
  /** What ids begin with, so that those of several services differ. Default `id-`. */
  readonly idPrefix?: string;
}

/** Makes a service whose clock moves a second at every look, and whose ids count. */
export function serviceOver(
  store: ResourceStore,
  { registry = projects(), idDigits = 4, idPrefix = "id-" }: ServiceOptions = {},
): OperatorService {
  let [ticks, ids, nonces] = [0, 0, 0];
  return createScimService({
    registry,
    store,
    sources: {
      now: () => Date.UTC(2026, 0, 1) + (ticks += 1) * 1000,
      newId: () => `${idPrefix}${String((ids += 1)).padStart(idDigits, "0")}`,
      newNonce: () => `${idPrefix.replace("id-", "")}nonce${String((nonces += 1))}`,
      digest: (text) => Buffer.from(text).toString("base64url"),
    },
    // Hides nothing: who walks here forges nothing.
    cursorSeal: {
      seal: (text) => Buffer.from(text).toString("base64url"),
      open: (cursor) => Buffer.from(cursor, "base64url").toString(),
    },
  });
}

/** A caller without special rights or wishes. */
export const CALLER: RequestContext = {
  tenant: "north",
  connection: "first",
  subject: null,
  profile: PROFILES.strict,
  baseUrl: "https://scim.example/scim/v2",
  signal: undefined,
  onSwitch: () => undefined,
};

/** What a request without projection and conditions adds. */
export const PLAIN = {
  attributes: null,
  excludedAttributes: null,
  precondition: { ifMatch: null, ifNoneMatch: null },
  prefer: null,
} as const;

/** A query without the parameters that it does not give. */
export type Query = Partial<Omit<ListRequest, "type">>;

/** A page. */
export function list(
  service: ScimService,
  type: string | null,
  query: Query,
  caller = CALLER,
): Promise<ListAnswer> {
  return service.list(caller, {
    ...PLAIN,
    filter: null,
    sortBy: null,
    sortOrder: null,
    startIndex: null,
    count: null,
    cursor: null,
    source: "body",
    ...query,
    type,
  });
}

/** The ids of a page. */
export function idsOf({ resources }: ListAnswer): readonly (JsonValue | undefined)[] {
  return resources.filter(isJsonObject).map(({ id }) => id);
}

/** Pages that no walk of a test has. */
const LONGEST_WALK = 1000;

/** The pages from a cursor on to the end, or back to the beginning; `between` runs after each. */
export async function walk(
  page: (cursor: string) => Promise<ListAnswer>,
  { from = "", back = false }: { readonly from?: string; readonly back?: boolean },
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<readonly ListAnswer[]> {
  const pages: ListAnswer[] = [];
  for (let cursor: string | null = from; cursor !== null;) {
    const answer: ListAnswer = await page(cursor);
    pages.push(answer);
    if (pages.length > LONGEST_WALK) throw new Error("The walk does not end.");
    cursor = back ? answer.previousCursor : answer.nextCursor;
    await between();
  }
  return pages;
}

/** Creates a resource and answers its id. */
export async function create(
  service: ScimService,
  type: string,
  body: JsonObject,
  caller = CALLER,
): Promise<string> {
  const { resource } = await service.create(caller, { ...PLAIN, type, body });
  return String(resource["id"]);
}
