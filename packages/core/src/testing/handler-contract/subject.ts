/**
 * A handler that is put to the test, and a service over it.
 * @module
 */
import {
  isJsonArray,
  isJsonObject,
  isScimError,
  type JsonObject,
  type JsonValue,
  type SchemaRegistry,
} from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import { createScimService } from "../../create-service.ts";
import type { Sources } from "../../environment.ts";
import { createHandlerStore } from "../../handlers/handler-store.ts";
import type { HandlerContext, ResourceHandler } from "../../handlers/resource-handler.ts";
import type { AttributeNode } from "../../model/attribute-node.ts";
import { createModelCatalog } from "../../model/catalog.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import { PROFILES } from "../../profiles/profile.ts";
import type { CursorSeal } from "../../query/paging/cursor-seal.ts";
import type { DryRunAnswer, ListAnswer, ResourceAnswer } from "../../answers.ts";
import type { ListRequest } from "../../requests.ts";
import type { ScimService } from "../../service.ts";
import { ContractViolation } from "../contract/expect.ts";

/** A handler, and what the contract must know to try it out. */
export interface HandlerSubject {
  /** Name of the resource type that the handler keeps. */
  readonly type: string;
  readonly registry: SchemaRegistry;
  /** Makes a handler over an empty table. It is called for each rule. */
  readonly open: () => Promise<ResourceHandler> | ResourceHandler;
  /**
   * The attributes of the n-th of many resources, n from 0, as a client sends them without `schemas`: valid, kept by the
   * handler, and with another value in each attribute that must be unique. What the table always has a value for, such as
   * `active` in a column with a default, is among them: what comes back must be what was sent.
   */
  readonly sample: (n: number) => JsonObject;
  /**
   * A state to replace the resource of `sample(n)` by, complete likewise, which differs from it in one attribute at least,
   * and in none that is immutable.
   */
  readonly changed: (n: number) => JsonObject;
  /** Whether there is one tenant alone, so that nothing can be said of others. Default false. */
  readonly oneTenant?: boolean;
  /**
   * Most milliseconds of one call of the handler, and of the next resource of its list. A method that takes longer once
   * breaks the rule and is not called again, so that other rules that need it are broken too. Default 10,000.
   */
  readonly timeout?: number;
  /** Those of the service. */
  readonly sources: Sources;
}

/** Most milliseconds of one call, where nothing else is said. */
export const TIMEOUT = 10_000;

/** A handler with a service over it, and what the handler says of itself. */
export interface OpenSubject {
  readonly subject: HandlerSubject;
  readonly handler: ResourceHandler;
  readonly model: ResourceModel;
  readonly client: SubjectClient;
  /** A client of another tenant. */
  readonly stranger: SubjectClient;
}

/** Opens a handler for one rule. */
export async function openSubject(subject: HandlerSubject): Promise<OpenSubject> {
  const { type, registry, sources } = subject;
  const handler = await subject.open();
  // The contract is out of patience before.
  const timeout = 2 * (subject.timeout ?? TIMEOUT);
  const store = createHandlerStore({ registry, sources, handlers: { [type]: handler }, timeout });
  const service = createScimService({ registry, store, sources, cursorSeal: PLAIN_SEAL });
  const model = createModelCatalog(registry).model(type);
  return {
    subject,
    handler,
    model,
    client: new SubjectClient(service, model, "north"),
    stranger: new SubjectClient(service, model, "south"),
  };
}

/** Hides nothing: who tests here forges nothing. */
const PLAIN_SEAL: CursorSeal = { seal: (text) => text, open: (cursor) => cursor };

/** On whose behalf a handler is called without a service between. */
export const CONTEXT: HandlerContext = {
  tenant: "north",
  connection: "contract",
  signal: new AbortController().signal,
};

const PLAIN = { attributes: null, excludedAttributes: null, prefer: null } as const;

type Plain = Omit<typeof PLAIN, "attributes"> & { readonly attributes: readonly string[] | null };

/** Paths of an attribute and of what it holds, as far as they are ever shown. */
function shownPaths({ path, attribute, subAttributes }: AttributeNode): readonly string[] {
  if (attribute.returned === "never") return [];
  return [path, ...[...subAttributes.values()].flatMap(shownPaths)];
}

/** Requests about resources of one type, on behalf of one tenant. */
export class SubjectClient {
  readonly #service: ScimService;
  readonly #model: ResourceModel;
  /** Attributes to show: all are named where some are shown to no one else. */
  readonly #shown: readonly string[] | null;
  readonly #context: RequestContext;

  constructor(service: ScimService, model: ResourceModel, tenant: string) {
    this.#service = service;
    this.#model = model;
    this.#shown = model.onRequest.size === 0 ? null : [...model.members.values()].flatMap(shownPaths);
    this.#context = {
      tenant,
      connection: "contract",
      subject: null,
      profile: PROFILES.strict,
      baseUrl: "https://scim.example/scim/v2",
      signal: undefined,
      onSwitch: () => undefined,
    };
  }

  create(attributes: JsonObject): Promise<ResourceAnswer> {
    return this.#service.create(this.#context, { ...this.#request(), body: this.#body(attributes) });
  }

  async read(id: string): Promise<ResourceAnswer> {
    const answer = await this.#service.read(this.#context, { ...this.#request(), id, precondition: ANY });
    if (answer.kind !== "resource")
      throw new ContractViolation("reading a resource", answer.kind, "resource");
    return answer;
  }

  replace(id: string, attributes: JsonObject, version?: string): Promise<ResourceAnswer> {
    const request = { ...this.#request(), id, body: this.#body(attributes), precondition: onlyOf(version) };
    return this.#service.replace(this.#context, request);
  }

  delete(id: string, version?: string): Promise<void> {
    return this.#service.delete(this.#context, {
      type: this.#model.name,
      id,
      precondition: onlyOf(version),
    });
  }

  list(query: Partial<ListRequest> = {}): Promise<ListAnswer> {
    return this.#service.list(this.#context, {
      ...this.#request(),
      filter: null,
      sortBy: null,
      sortOrder: null,
      startIndex: null,
      count: null,
      cursor: null,
      source: "body",
      ...query,
    });
  }

  tryReplace(id: string, attributes: JsonObject): Promise<DryRunAnswer> {
    const request = { ...this.#request(), id, body: this.#body(attributes), precondition: ANY };
    return this.#service.dryRun(this.#context, { operation: "replace", request });
  }

  tryDelete(id: string): Promise<DryRunAnswer> {
    const request = { type: this.#model.name, id, precondition: ANY };
    return this.#service.dryRun(this.#context, { operation: "delete", request });
  }

  tryCreate(attributes: JsonObject): Promise<DryRunAnswer> {
    const request = { ...this.#request(), body: this.#body(attributes) };
    return this.#service.dryRun(this.#context, { operation: "create", request });
  }

  #request(): Plain & { readonly type: string } {
    return { ...PLAIN, attributes: this.#shown, type: this.#model.name };
  }

  #body(attributes: JsonObject): JsonObject {
    const extensions = [...this.#model.extensions.values()].filter(({ urn }) =>
      Object.hasOwn(attributes, urn),
    );
    return { schemas: [this.#model.schema, ...extensions.map(({ urn }) => urn)], ...attributes };
  }
}

const ANY = { ifMatch: null, ifNoneMatch: null };

function onlyOf(version: string | undefined): {
  readonly ifMatch: readonly string[] | null;
  readonly ifNoneMatch: null;
} {
  return version === undefined ? ANY : { ifMatch: [version], ifNoneMatch: null };
}

/** The id of an answer. */
export function idOf({ resource }: ResourceAnswer): string {
  const { id } = resource;
  if (typeof id !== "string") throw new ContractViolation("the id of a resource", id, "text");
  return id;
}

/** A resource without what the service adds. */
export function attributesOf(resource: JsonObject): JsonObject {
  const own = Object.entries(resource).filter(([name]) => !["schemas", "id", "meta"].includes(name));
  return Object.fromEntries<JsonValue>(own.map(([name, value]) => [name, withoutAddresses(value)]));
}

/** A value without the addresses of what it refers to: the service makes them, whatever was sent. */
export function withoutAddresses(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutAddresses);
  if (!isJsonObject(value)) return value;
  const own = Object.entries(value).filter(([name]) => name !== "$ref");
  return Object.fromEntries(own.map(([name, held]) => [name, withoutAddresses(held)]));
}

/** The status of the error that a request ends in; 0 where it is answered. What is no error for clients is thrown. */
export async function statusOf(request: Promise<unknown>): Promise<number> {
  try {
    await request;
    return 0;
  } catch (error) {
    if (isScimError(error)) return error.status;
    throw error;
  }
}
