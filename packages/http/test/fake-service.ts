/**
 * A service that answers from fixed data and notes what it was asked, and a handler over it.
 * @module
 */
import type {
  BulkOperationAnswer,
  BulkRequest,
  DiagnosticsAnswer,
  DryRunAnswer,
  Identity,
  Principal,
  Profile,
  RequestContext,
  ResourceAnswer,
  ScimService,
  ServedType,
  SwitchName,
} from "@scim/core";
import { ScimError } from "@scim/schemas";
import {
  createScimHandler,
  type HttpRequest,
  type HttpResponse,
  type RequestRecord,
  type ScimHandlerOptions,
} from "../src/index.ts";

const ALL = ["create", "read", "replace", "patch", "delete", "query"] as const;

export const TYPES: readonly ServedType[] = [
  { name: "User", endpoint: "/Users", operations: new Set(ALL), hasCollections: false },
  { name: "Group", endpoint: "/Groups", operations: new Set(ALL), hasCollections: true },
  {
    name: "Badge",
    endpoint: "/Badges",
    operations: new Set(["read", "query"] as const),
    hasCollections: false,
  },
];

/** A call as the fake noted it. */
export interface NotedCall {
  readonly operation: string;
  readonly context: RequestContext;
  readonly request: unknown;
}

export class FakeService implements ScimService {
  readonly calls: NotedCall[] = [];
  /** Called before each answer: throw here to fail. */
  before: (operation: string, context: RequestContext) => void = () => undefined;
  patchAnswer: "resource" | "noContent" = "resource";
  readAnswer: "resource" | "notModified" = "resource";
  filterPlan: string | null = null;
  /** What becomes of the operations of a bulk job; may ask whether they are allowed. */
  bulkAnswer: (request: BulkRequest) => readonly BulkOperationAnswer[] = () => [];
  dryRunAnswer: DryRunAnswer = {
    kind: "dryRun",
    valid: true,
    status: 201,
    resource: { userName: "bjensen" },
    diff: [{ op: "add", path: "userName", value: "bjensen" }],
    error: null,
  };
  diagnosis: DiagnosticsAnswer = {
    kind: "page",
    lists: { orphanedGroupMembers: [], inconsistentUserGroups: [], cyclicGroupMembers: [] },
    nextCursor: null,
  };
  identity: Identity = { type: "User", id: "2819c223" };

  types(): readonly ServedType[] {
    return TYPES;
  }
  longBody: ScimService["longBody"] = () => null;
  create: ScimService["create"] = async (context, request) => this.#resource("create", context, request);
  replace: ScimService["replace"] = async (context, request) => this.#resource("replace", context, request);
  read: ScimService["read"] = async (context, request) => {
    const answer = this.#resource("read", context, request);
    return this.readAnswer === "resource" ? answer : { ...answer, kind: "notModified" };
  };
  patch: ScimService["patch"] = async (context, request) => {
    const answer = this.#resource("patch", context, request);
    return this.patchAnswer === "resource" ? answer : { ...answer, kind: "noContent" };
  };
  delete: ScimService["delete"] = async (context, request) => {
    this.#note("delete", context, request);
  };
  bulk: ScimService["bulk"] = async (context, request) => {
    this.#note("bulk", context, request);
    return { kind: "bulk", operations: this.bulkAnswer(request) };
  };
  dryRun: ScimService["dryRun"] = async (context, request) => {
    this.#note("dryRun", context, request);
    return this.dryRunAnswer;
  };
  diagnose: ScimService["diagnose"] = async (context, request) => {
    this.#note("diagnose", context, request);
    return this.diagnosis;
  };
  me: ScimService["me"] = (context) => {
    this.#note("me", context, null);
    return this.identity;
  };
  list: ScimService["list"] = async (context, request) => {
    this.#note("list", context, request);
    const resources = [{ id: "1" }, { id: "2" }];
    return {
      kind: "list",
      totalResults: 12,
      startIndex: 3,
      resources,
      nextCursor: null,
      previousCursor: null,
      filterPlan: this.filterPlan,
    };
  };
  serviceProviderConfig: ScimService["serviceProviderConfig"] = async (context, request) =>
    this.#resource("serviceProviderConfig", context, request);
  schema: ScimService["schema"] = (context, urn) => this.#resource("schema", context, urn);
  resourceType: ScimService["resourceType"] = (context, name) =>
    this.#resource("resourceType", context, name);
  schemas: ScimService["schemas"] = (context) => this.#all("schemas", context);
  resourceTypes: ScimService["resourceTypes"] = (context) => this.#all("resourceTypes", context);

  #note(operation: string, context: RequestContext, request: unknown): void {
    this.before(operation, context);
    this.calls.push({ operation, context, request });
  }
  #resource(operation: string, context: RequestContext, request: unknown): ResourceAnswer {
    this.#note(operation, context, request);
    return {
      kind: "resource",
      resource: { id: "2819c223", userName: "bjensen", nickName: "Jürgen" },
      version: "v1",
      location: `${context.baseUrl}/Users/2819c223`,
    };
  }
  #all(operation: string, context: RequestContext): ReturnType<ScimService["schemas"]> {
    this.#note(operation, context, null);
    return {
      kind: "list",
      totalResults: 1,
      startIndex: 1,
      resources: [{ id: "User" }],
      nextCursor: null,
      previousCursor: null,
      filterPlan: null,
    };
  }
}

export function profileOf(...switches: SwitchName[]): Profile {
  return { name: "test", switches: new Set(switches), rewrites: [], constraints: [] };
}

/** Tokens of the tests: the part behind `token:` is the scopes. */
export function principalOf(token: string): Principal | null {
  if (token === "broken-store") throw new Error("SELECT * FROM token: disk I/O error");
  if (!/^(?:token:[A-Za-z: ]+|strict)$/.test(token)) return null;
  return {
    tenant: "acme",
    connection: "okta",
    scopes: new Set(token === "strict" ? ["scim"] : token.slice("token:".length).split(" ")),
    subject: null,
    profile: token === "strict" ? profileOf() : profileOf("bare-token"),
  };
}

/** For a handler whose clients have these switches. */
export function withSwitches(...switches: SwitchName[]): Pick<ScimHandlerOptions, "authenticate"> {
  const principal = principalOf("token:scim");
  return { authenticate: async () => principal && { ...principal, profile: profileOf(...switches) } };
}

/** What a test sends: everything has a default. */
export interface Sent {
  readonly method?: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | null;
  readonly tenant?: string | null;
  readonly connection?: string;
  readonly token?: string | null;
  readonly signal?: AbortSignal;
}

export interface Answered extends HttpResponse {
  readonly body: string | null;
  readonly json: unknown;
}

/** A handler over a fake, and what it logged. */
export class Harness {
  readonly service = new FakeService();
  readonly records: RequestRecord[] = [];
  readonly #handler;

  constructor(options: Partial<ScimHandlerOptions> = {}) {
    this.#handler = createScimHandler({
      service: this.service,
      authenticate: async (token) => principalOf(token),
      onRequestDone: (record) => void this.records.push(record),
      ...options,
    });
  }

  async send(sent: Sent): Promise<Answered> {
    const token = sent.token === undefined ? "token:scim" : sent.token;
    const request: HttpRequest = {
      method: sent.method ?? "GET",
      target: sent.target,
      headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...sent.headers },
      body: typeof sent.body === "string" ? new TextEncoder().encode(sent.body) : (sent.body ?? null),
      baseUrl: "https://id.example/scim/v2",
      tenant: sent.tenant ?? null,
      connection: sent.connection,
      signal: sent.signal,
      id: "request-1",
    };
    const response = await this.#handler.handle(request);
    const { body } = response;
    if (body !== null && typeof body !== "string") throw new TypeError("The answer is a stream");
    return { ...response, body, json: body === null ? null : JSON.parse(body) };
  }
}

/** Fails a service with an error of a code. */
export function failing(code: ConstructorParameters<typeof ScimError>[0]): () => never {
  return () => {
    throw new ScimError(code, "refused");
  };
}
