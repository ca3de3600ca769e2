import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isJsonObject, PATCH_OP_URN, SEARCH_REQUEST_URN, type JsonValue } from "@scim/schemas";
import { clientOf } from "../over-http/client.ts";
import { writeDocuments, type Documents } from "../over-http/documents.ts";
import { exchange, type WireAnswer } from "../over-http/exchange.ts";
import { startOwnServer, type OwnServer } from "../over-http/in-process.ts";
import { samplesOf } from "./bodies-from-schema.ts";
import {
  METHODS,
  readDescription,
  type Described,
  type DescribedService,
  type Operation,
} from "./described-service.ts";
import { DOCUMENTS } from "./documents.ts";

/** Bytes of the longest body that servers here take. */
const LONGEST_BODY = 131_072;

/** Requests of each operation. */
const SAMPLES = 5;

const SERVERS = [
  ["the built-in types", { SCIM_GROUP_MEMBERSHIPS: "on" }, []],
  ["types of one's own", {}, DOCUMENTS],
  ["types of one's own, in the strict profile", { SCIM_PROFILE: "strict" }, DOCUMENTS],
] as const;

/** What a request carries. */
interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonValue | undefined;
  /** Sent in the place of a body. */
  readonly text?: string | undefined;
}

/** A fault that requests of all operations of some kind may have. */
interface Provocation extends Pick<Sent, "text"> {
  readonly what: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly concerns: (described: Described, service: DescribedService) => boolean;
}

const PROVOCATIONS: readonly Provocation[] = [
  {
    what: "a body of another media type",
    status: 415,
    headers: { "content-type": "text/plain" },
    concerns: hasBody,
  },
  { what: "a body that is no JSON", status: 400, headers: {}, text: "{", concerns: hasBody },
  {
    what: "a body that is too large",
    status: 413,
    headers: {},
    text: " ".repeat(LONGEST_BODY + 1),
    concerns: hasBody,
  },
  {
    what: "a client that takes no JSON",
    status: 406,
    headers: { accept: "text/html" },
    concerns: ({ operation, method }) => canSucceed(operation) && method !== "delete",
  },
  {
    what: "a condition that does not hold",
    status: 412,
    headers: { "if-match": 'W/"stale"' },
    concerns: ({ operation, path }, service) =>
      !path.startsWith("/.dry-run") && takes("If-Match", operation, service),
  },
  {
    what: "a condition on what has no version",
    status: 412,
    headers: { "if-match": 'W/"stale"' },
    concerns: ({ operation }, service) =>
      canSucceed(operation) &&
      !takes("If-Match", operation, service) &&
      !takes("If-None-Match", operation, service),
  },
  {
    what: "a copy that is current",
    status: 304,
    headers: { "if-none-match": "*" },
    concerns: ({ operation, method }, service) =>
      method === "get" && takes("If-None-Match", operation, service),
  },
];

describe.each(SERVERS)("OpenAPI of %s", (_name, settings, sources) => {
  let documents: Documents;
  let server: OwnServer;
  let service: DescribedService;
  /** The caller is a user, so that `/Me` is one. */
  let token: string;
  /** A group that memberships can refer to. */
  let group: string;

  beforeAll(async () => {
    documents = await writeDocuments(sources);
    const shorter = {
      SCIM_BODY_MAX_BYTES: String(LONGEST_BODY),
      SCIM_BODY_MAX_COLLECTION_BYTES: String(LONGEST_BODY),
      SCIM_BULK_MAX_PAYLOAD_SIZE: String(LONGEST_BODY),
    };
    server = await startOwnServer({ SCIM_SCHEMAS: documents.directory, ...shorter, ...settings });
    const { id } = await clientOf(server).user({ userName: "caller" });
    token = await server.createToken("--subject", id);
    group = (await clientOf(server).group({ displayName: "all" })).id;
    service = await readDescription(server.origin, token);
  });
  afterAll(async () => {
    await server.stop();
    await documents.remove();
  });

  /** Sends a request below the base address that the document names. */
  function send(method: string, path: string, more: Sent = {}): Promise<WireAnswer> {
    const base = new URL(service.document.servers[0]?.url ?? "");
    return exchange(base.origin, {
      method: method.toUpperCase(),
      path: base.pathname + path,
      headers: {
        authorization: `Bearer ${token}`,
        ...(more.body === undefined ? {} : { "content-type": "application/scim+json" }),
        ...more.headers,
      },
      body: more.text ?? (more.body === undefined ? null : JSON.stringify(more.body)),
    });
  }

  /** A body whose names are unique and whose group exists and lacks the member: no schema can say so. */
  function fitting(body: JsonValue): JsonValue {
    made += 1;
    const text = JSON.stringify(body).replaceAll(
      /"(userName|displayName|serial)":"/g,
      (start) => `${start}${made}-`,
    );
    const fresh = JSON.parse(text) as JsonValue;
    return isJsonObject(fresh) && Object.hasOwn(fresh, "group")
      ? { ...fresh, group: { value: group }, member: { value: `m${made}` } }
      : fresh;
  }

  /** Bodies that an operation takes, by its schema; the first is the one that most surely succeeds. */
  function bodiesOf({ operation, path, method }: Described): readonly (JsonValue | undefined)[] {
    const schema = operation.requestBody?.content["application/scim+json"]?.schema;
    if (schema === undefined) return Array.from({ length: SAMPLES }, () => undefined);
    const [first, ...others] = samplesOf(schema, service.resolve, SAMPLES);
    if (path.endsWith(".search")) return [{ schemas: [SEARCH_REQUEST_URN] }, ...others];
    if (method === "patch") return [CHANGE_OF_ANY_TYPE, ...others];
    return [first, ...others].map((body) => fitting(body ?? {}));
  }

  /** A new resource of the type at an endpoint; without a way to make one, an id that names nothing. */
  async function idAt(path: string, salt: number): Promise<string> {
    const endpoint = path.replace("/.dry-run", "").replace("/{id}", "");
    const creating = service.operations.find((each) => each.path === endpoint && each.method === "post");
    if (creating === undefined) return endpoint === "/Schemas" ? DISCOVERED : "User";
    const bodies = samplesOf(
      creating.operation.requestBody?.content["application/scim+json"]?.schema ?? {},
      service.resolve,
      20,
    );
    for (const body of bodies.slice(salt % 10)) {
      const { status, body: made } = await send("post", endpoint, { body: fitting(body) });
      if (status === 201) return String(made["id"]);
    }
    throw new Error(`No resource could be made at ${endpoint}.`);
  }

  /** The parameters of one sample: none, one after another, then several. */
  function parametersOf(
    { operation }: Described,
    sample: number,
  ): {
    readonly query: string;
    readonly headers: Readonly<Record<string, string>>;
  } {
    const known = service.parametersOf(operation);
    const chosen = sample === 0 ? [] : known.filter((_each, index) => (index + sample) % SAMPLES === 0);
    const pairs = chosen.map((parameter) => {
      const given = Object.values(parameter.examples ?? {})[0]?.value;
      const value = given ?? samplesOf(parameter.schema, service.resolve, sample + 1)[sample] ?? "";
      return { parameter, value: encodeURIComponent(String(value)) };
    });
    const inQuery = pairs.filter(({ parameter }) => parameter.in === "query");
    const inHeaders = pairs.filter(({ parameter }) => parameter.in === "header");
    return {
      query: inQuery.map(({ parameter, value }) => `${parameter.name}=${value}`).join("&"),
      headers: Object.fromEntries(
        inHeaders.map(({ parameter, value }) => [parameter.name, decodeURIComponent(value)]),
      ),
    };
  }

  test("what the document allows to be created is created", async () => {
    const refused: string[] = [];
    for (const described of service.operations) {
      const { path, method, operation } = described;
      if (method !== "post" || !operation.operationId.startsWith("create")) continue;
      for (const body of samplesOf(
        operation.requestBody?.content["application/json"]?.schema ?? {},
        service.resolve,
        40,
      )) {
        const { status, text } = await send(method, path, { body: fitting(body) });
        if (status !== 201 && status !== 409)
          refused.push(`${path} ${status} ${text} ${JSON.stringify(body)}`);
      }
    }
    expect(refused).toEqual([]);
  });

  test("a name that is taken is answered as described", async () => {
    const described = service.operations.find(({ operation }) => operation.operationId === "createUser");
    if (described === undefined) throw new Error("Users cannot be created.");
    const [body] = bodiesOf(described);
    expect((await send("post", described.path, { body })).status).toBe(201);
    const again = await send("post", described.path, { body });
    expect([again.status, service.faultsOf(described.operation, again)]).toEqual([409, []]);
  });

  test.each(PROVOCATIONS)(
    "$what is answered $status as described",
    async ({ headers, status, concerns, text }) => {
      const concerned = service.operations.filter((described) => concerns(described, service));
      expect(concerned.length).toBeGreaterThan(0);
      for (const described of concerned) {
        const { path, method, operation } = described;
        const id = path.includes("{id}") ? await idAt(path, 0) : "";
        const body = bodiesOf(described)[0];
        const answer = await send(method, path.replace("{id}", id), { headers, body, text });
        expect([operation.operationId, answer.status]).toEqual([operation.operationId, status]);
        expect([operation.operationId, service.faultsOf(operation, answer)]).toEqual([
          operation.operationId,
          [],
        ]);
      }
    },
  );

  test("every operation without a token is answered 401 as described", async () => {
    for (const { path, method, operation } of service.operations) {
      const answer = await send(method, path.replace("{id}", "1"), { headers: { authorization: "" } });
      expect([path, method, answer.status]).toEqual([path, method, 401]);
      expect(service.faultsOf(operation, answer)).toEqual([]);
    }
  });

  test("every method that a path does not describe is answered 405, and Allow names those that it does", async () => {
    for (const [path, item] of Object.entries(service.document.paths)) {
      const target = path.replace("{id}", "1");
      const described = METHODS.filter((method) => item[method] !== undefined);
      const offered = described.filter((method) => canSucceed(item[method]));
      const allowed = [...offered, ...(item["get"] === undefined ? [] : ["head"]), "options"].map((method) =>
        method.toUpperCase(),
      );
      for (const method of METHODS.filter((each) => !described.includes(each))) {
        const { status, headers } = await send(method, target);
        expect([method, path, status]).toEqual([method, path, 405]);
        expect(listOf(headers.allow)).not.toContain(method.toUpperCase());
        expect(listOf(headers.allow)).toEqual(expect.arrayContaining(allowed));
      }
      const { status, headers } = await send("options", target);
      expect([path, status, listOf(headers.allow)]).toEqual([path, 204, allowed.toSorted()]);
    }
  });

  test("HEAD is answered as GET is, without a body", async () => {
    for (const { path, method } of service.operations) {
      if (method !== "get") continue;
      const target = path.replace("{id}", "1");
      const [get, head] = [await send("get", target), await send("head", target)];
      expect([path, head.status, head.text]).toEqual([path, get.status, ""]);
    }
  });

  test("every address that the server offers is a path of the document", async () => {
    const list = await send("get", "/ResourceTypes");
    const types = list.body["Resources"] as readonly {
      readonly endpoint: string;
      readonly operations?: readonly string[];
    }[];
    const ofTypes = types.flatMap(({ endpoint, operations }) => {
      const isRead = operations?.includes("query") === false;
      const changes = ["replace", "patch", "delete"].some((change) => operations?.includes(change) ?? true);
      return [
        endpoint,
        `${endpoint}/{id}`,
        ...(isRead ? [] : [`${endpoint}/.search`]),
        `/.dry-run${endpoint}`,
        ...(changes ? [`/.dry-run${endpoint}/{id}`] : []),
      ];
    });
    const ofService = [
      "/",
      "/.search",
      "/Me",
      "/.dry-run/Me",
      "/Bulk",
      "/ServiceProviderConfig",
      "/ResourceTypes",
      "/ResourceTypes/{id}",
      "/Schemas",
      "/Schemas/{id}",
      "/Diagnostics/ReferentialConsistency",
    ];
    expect(Object.keys(service.document.paths).toSorted()).toEqual([...ofTypes, ...ofService].toSorted());
  });

  test("every request that the document describes is answered as it describes", async () => {
    // Its caller is deleted, and those of other tests are still needed.
    const { id: leaver } = await clientOf(server).user({ userName: "leaver" });
    const authorization = `Bearer ${await server.createToken("--subject", leaver)}`;
    const faults: string[] = [];
    const succeeded = new Set<string>();
    for (const described of lastDeletesOfMe(service.operations)) {
      const { path, method, operation } = described;
      for (const [sample, body] of bodiesOf(described).entries()) {
        const { query, headers } = parametersOf(described, sample);
        const id = path.includes("{id}") ? await idAt(path, sample) : "";
        const target =
          path.replace("{id}", sample === SAMPLES - 1 ? "nobody" : id) + (query === "" ? "" : `?${query}`);
        const answer = await send(method, target, { headers: { ...headers, authorization }, body });
        faults.push(
          ...service
            .faultsOf(operation, answer)
            .map((fault) => `${method} ${target} (${operation.operationId}): ${fault}`),
        );
        if (answer.status < 300) succeeded.add(operation.operationId);
      }
    }
    expect(faults).toEqual([]);
    // Nothing passes by failing alone.
    const failing = service.operations
      .filter(({ operation }) => canSucceed(operation) && !succeeded.has(operation.operationId))
      .map(({ operation }) => operation.operationId);
    expect(failing).toEqual([]);
  });
});

const CHANGE_OF_ANY_TYPE: JsonValue = {
  schemas: [PATCH_OP_URN],
  Operations: [{ op: "add", path: "externalId", value: "1" }],
};

const DISCOVERED = "urn:ietf:params:scim:schemas:core:2.0:User";

let made = 0;

/** The caller's own resource is deleted when nothing needs it any more. */
function lastDeletesOfMe(operations: readonly Described[]): readonly Described[] {
  const isLast = ({ path, method }: Described): boolean => path === "/Me" && method === "delete";
  return [...operations.filter((each) => !isLast(each)), ...operations.filter(isLast)];
}

/** POST to /Me is described as what it is: not offered. */
function canSucceed(operation: Operation | undefined): boolean {
  return Object.keys(operation?.responses ?? {}).some((status) => Number(status) < 400);
}

function hasBody({ operation }: Described): boolean {
  return operation.requestBody !== undefined;
}

function takes(header: string, operation: Operation, service: DescribedService): boolean {
  return service.parametersOf(operation).some(({ name }) => name === header);
}

function listOf(header: string | undefined): readonly string[] {
  return (header ?? "").split(", ").toSorted();
}
