import {
  ENTERPRISE_USER_URN,
  GROUP_URN,
  RESOURCE_TYPE_URN,
  SCHEMA_URN,
  SERVICE_PROVIDER_CONFIG_EXTENSION_URN,
  SERVICE_PROVIDER_CONFIG_URN,
  USER_URN,
  type JsonObject,
} from "@scim/schemas";
import { describe, expect, test } from "vitest";
import {
  createProfile,
  createScimService,
  type Precondition,
  type Profile,
  type ProfileName,
  type ResourceAnswer,
  type ScimServiceOptions,
} from "../../src/index.ts";
import { createMemoryStore } from "../../src/testing/index.ts";
import { metaOf } from "../support/bodies.ts";
import { resourceOf } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { BASE_URL, testService, type TestService } from "../support/service.ts";
import { testSources } from "../support/sources.ts";
import { addReports, addTeams, narrowUsers, REPORT_URN, team, TEAM_URN } from "../support/teams.ts";

const NONE: Precondition = { ifMatch: null, ifNoneMatch: null };
const SCHEMAS = [
  USER_URN,
  ENTERPRISE_USER_URN,
  GROUP_URN,
  SERVICE_PROVIDER_CONFIG_URN,
  SERVICE_PROVIDER_CONFIG_EXTENSION_URN,
  RESOURCE_TYPE_URN,
  SCHEMA_URN,
];

/** Asks for one discovery resource with a condition. */
type Ask = (tested: TestService, precondition?: Precondition) => Discovered | Promise<Discovered>;
type Discovered = ResourceAnswer | { readonly kind: "notModified" };
const ONE: readonly (readonly [string, string, Ask])[] = [
  [
    "ServiceProviderConfig",
    "/ServiceProviderConfig",
    ({ service, context }, precondition = NONE) => service.serviceProviderConfig(context(), precondition),
  ],
  [
    "Schema",
    `/Schemas/${USER_URN}`,
    ({ service, context }, precondition = NONE) => service.schema(context(), USER_URN, precondition),
  ],
  [
    "ResourceType",
    "/ResourceTypes/Group",
    ({ service, context }, precondition = NONE) => service.resourceType(context(), "Group", precondition),
  ],
];

function settled(ask: () => unknown): Promise<unknown> {
  return new Promise((resolve) => {
    resolve(ask());
  });
}

describe("every discovery resource", () => {
  test.each(ONE)("R7644-4-07 %s has meta with its type, address and version", async (type, path, ask) => {
    const answer = await ask(testService());
    if (answer.kind !== "resource") throw new TypeError("Expected a resource");
    expect(answer.location).toBe(`${BASE_URL}${path}`);
    expect(answer.resource["meta"]).toEqual({
      resourceType: type,
      location: answer.location,
      version: `W/"${answer.version}"`,
    });
  });

  test.each(ONE)(
    "%s: a version that the client has is notModified, another is not; R7232-3.1-02 another alone is 412",
    async (_type, _path, ask) => {
      const tested = testService();
      const answer = await ask(tested);
      if (answer.kind !== "resource") throw new TypeError("Expected a resource");
      const { version, location } = answer;
      for (const ifNoneMatch of [[version], ["x", version], "*" as const]) {
        expect(await ask(tested, { ...NONE, ifNoneMatch })).toEqual({
          kind: "notModified",
          version,
          location,
        });
      }
      expect(await ask(tested, { ...NONE, ifNoneMatch: ["x"] })).toEqual(answer);
      expect((await ask(testService(), { ...NONE, ifNoneMatch: [version] })).kind).toBe("notModified");
      expect(await ask(tested, { ...NONE, ifMatch: ["x", version] })).toEqual(answer);
      const another = async (): Promise<Discovered> => ask(tested, { ...NONE, ifMatch: ["x"] });
      expect((await refusal(another())).answer).toBe("412");
    },
  );

  test("none has a null value, anywhere", async () => {
    const { service, context } = testService(addTeams);
    const everything = [
      await service.serviceProviderConfig(context(), NONE),
      service.schemas(context()),
      service.resourceTypes(context()),
    ];
    expect(
      JSON.stringify(everything.map((each) => (each.kind === "list" ? each.resources : resourceOf(each)))),
    ).not.toContain("null");
  });

  test("locations follow the address of the request", () => {
    const { service, context } = testService();
    const other = context("strict", { baseUrl: "https://other.example/scim/acme/v2" });
    const { resources } = service.resourceTypes(other);
    expect(metaOf(resources[0] ?? {}, "location")).toBe(
      "https://other.example/scim/acme/v2/ResourceTypes/User",
    );
  });
});

describe("schemas", () => {
  test("R7644-4-02 all are listed, whole, each the same as by itself", () => {
    const { service, context } = testService();
    const { resources, totalResults, startIndex } = service.schemas(context());
    expect(resources.map((each) => each["id"])).toEqual(SCHEMAS);
    expect([totalResults, startIndex]).toEqual([SCHEMAS.length, 1]);
    for (const [index, urn] of SCHEMAS.entries()) {
      expect(resourceOf(service.schema(context(), urn, NONE))).toEqual(resources[index]);
      expect(resources[index]).toMatchObject({ schemas: [SCHEMA_URN], id: urn });
    }
  });

  test("R7644-4-02 a URN in any letter case; an unknown one, and R7644-3.1-03 a message's, is 404", async () => {
    const { service, context } = testService();
    const { resource } = service.schema(context(), USER_URN.toUpperCase(), NONE) as ResourceAnswer;
    expect(resource["id"]).toBe(USER_URN);
    for (const urn of [
      "urn:example:x",
      "urn:ietf:params:scim:api:messages:2.0:ListResponse",
      "__proto__",
      "",
    ]) {
      const refused = await refusal(settled(() => service.schema(context(), urn, NONE)));
      expect(refused.answer).toBe("404");
    }
  });

  test("R7644-4-11 every attribute states every characteristic, also what is never kept, and annotations are not served", () => {
    const { service, context } = testService();
    const { resource } = service.schema(context(), USER_URN, NONE) as ResourceAnswer;
    const attributes = resource["attributes"] as readonly JsonObject[];
    const userName = attributes.find((each) => each["name"] === "userName");
    expect(userName).toMatchObject({
      type: "string",
      multiValued: false,
      required: true,
      caseExact: false,
      mutability: "readWrite",
      returned: "default",
      uniqueness: "server",
    });
    expect(JSON.stringify(resource)).not.toContain("indexed");
    expect(attributes.map((each) => each["name"])).toContain("password");
  });

  test("R7643-3.1-01 common attributes are listed in none", () => {
    const { service, context } = testService();
    const names = service
      .schemas(context())
      .resources.flatMap((each) => each["attributes"] as readonly JsonObject[])
      .map((each) => each["name"]);
    for (const common of ["schemas", "id", "externalId", "meta"]) expect(names).not.toContain(common);
  });
});

describe("resource types", () => {
  test("R7644-4-03 all are listed, each the same as by itself", () => {
    const { service, context } = testService();
    const { resources } = service.resourceTypes(context());
    expect(resources).toMatchObject([
      {
        schemas: [RESOURCE_TYPE_URN],
        id: "User",
        name: "User",
        endpoint: "/Users",
        schema: USER_URN,
        schemaExtensions: [{ schema: ENTERPRISE_USER_URN, required: false }],
      },
      { schemas: [RESOURCE_TYPE_URN], id: "Group", name: "Group", endpoint: "/Groups", schema: GROUP_URN },
    ]);
    for (const each of resources) {
      expect(resourceOf(service.resourceType(context(), String(each["id"]), NONE))).toEqual(each);
      expect(each).not.toHaveProperty("annotations");
    }
  });

  test("an unknown one is 404; names are case exact", async () => {
    const { service, context } = testService();
    for (const name of ["Robot", "user", "constructor", ""]) {
      expect((await refusal(settled(() => service.resourceType(context(), name, NONE)))).answer).toBe("404");
    }
  });

  test("R7644-4-09 every schema that one names is served", () => {
    const { service, context } = testService(addTeams);
    const served = service.schemas(context()).resources.map((each) => each["id"]);
    for (const each of service.resourceTypes(context()).resources) {
      const extensions = (each["schemaExtensions"] ?? []) as readonly JsonObject[];
      for (const urn of [each["schema"], ...extensions.map(({ schema }) => schema)])
        expect(served).toContain(urn);
    }
  });
});

describe("types that routes serve", () => {
  const ALL = ["create", "read", "replace", "patch", "delete", "query"];

  test("name, endpoint, operations, and whether bodies may be large", () => {
    const { service, context } = testService(addTeams);
    expect(service.types(context()).map((each) => ({ ...each, operations: [...each.operations] }))).toEqual([
      { name: "User", endpoint: "/Users", operations: ALL, hasCollections: false },
      { name: "Group", endpoint: "/Groups", operations: ALL, hasCollections: true },
      { name: "Team", endpoint: "/Teams", operations: ALL, hasCollections: true },
    ]);
  });

  test("a type of readOnly attributes can only be read", () => {
    const { service, context } = testService(addReports);
    const report = service.types(context()).find(({ name }) => name === "Report");
    expect([...(report?.operations ?? [])].toSorted()).toEqual(["query", "read"]);
  });

  test("a document may narrow operations, and discovery shows it", () => {
    const { service, context } = testService(narrowUsers);
    const [users] = service.types(context());
    expect([...(users?.operations ?? [])]).toEqual(["read", "create"]);
    const { resource } = service.resourceType(context(), "User", NONE) as ResourceAnswer;
    expect(JSON.stringify(resource)).toContain('["read","create"]');
  });

  test("R7643-6-01 with plain-answers a resource type has what RFC 7643 names alone", () => {
    const { service, context } = testService(narrowUsers);
    const plainly = context(createProfile("sdk", ["plain-answers"]));
    const listed = (asked: typeof plainly): JsonObject | undefined =>
      service.resourceTypes(asked).resources.find(({ id }) => id === "User");
    const { operations, meta: _whole, ...named } = listed(context()) ?? {};
    expect(operations).toEqual(["read", "create"]);
    const { meta: _listed, ...plain } = listed(plainly) ?? {};
    expect(plain).toEqual(named);
    const one = service.resourceType(plainly, "User", NONE);
    expect(one.kind === "resource" && one.resource).toEqual(listed(plainly));
  });

  test("R7643-3.2-01 what is added to the registry is served at once", async () => {
    const tested = testService();
    const { service, context, registry } = tested;
    const before = resourceOf(await service.serviceProviderConfig(context(), NONE));
    expect((await refusal(tested.as().post("Team", team()))).answer).toBe("404");
    addTeams(registry);
    addReports(registry);
    expect(service.types(context()).map(({ name }) => name)).toEqual(["User", "Group", "Team", "Report"]);
    expect(service.schemas(context()).resources.map((each) => each["id"])).toEqual([
      ...SCHEMAS,
      TEAM_URN,
      REPORT_URN,
    ]);
    expect((await tested.as().post("Team", team())).location).toBe(`${BASE_URL}/Teams/id-1`);
    expect(resourceOf(await service.serviceProviderConfig(context(), NONE))).toEqual(before);
  });

  test("a type that is replaced has other rules, and another version, from then on", async () => {
    const tested = testService(addTeams);
    const { service, context, registry } = tested;
    const versionOf = (): string => service.resourceType(context(), "Team", NONE).version;
    const before = versionOf();
    await tested.as().post("Team", team({ budget: 50 }));
    const document = {
      name: "Team",
      endpoint: "/Teams",
      description: "Teams with a ceiling.",
      schema: TEAM_URN,
      annotations: { budget: { maximum: 9 } },
    };
    registry.addResourceType(document, { allowBreaking: true });
    expect(versionOf()).not.toBe(before);
    const refused = await refusal(tested.as().post("Team", team({ displayName: "b", budget: 50 })));
    expect(refused.answer).toBe("400 invalidValue");
  });
});

describe("ServiceProviderConfig says exactly what is true", () => {
  async function configOf(
    options: Partial<ScimServiceOptions>,
    attributes: readonly string[] | null = null,
    profile: ProfileName | Profile = "strict",
  ): Promise<JsonObject> {
    const { registry, context } = testService();
    const service = createScimService({
      registry,
      store: createMemoryStore(),
      sources: testSources(),
      ...options,
    });
    return resourceOf(await service.serviceProviderConfig(context(profile), { ...NONE, attributes }));
  }

  test("R7643-5-01 by default", async () => {
    const { meta: _meta, ...config } = await configOf({});
    expect(config).toEqual({
      schemas: [SERVICE_PROVIDER_CONFIG_URN],
      patch: { supported: true },
      bulk: { supported: true, maxOperations: 1000, maxPayloadSize: 4_194_304 },
      filter: { supported: true, maxResults: 1000 },
      changePassword: { supported: false },
      sort: { supported: true },
      etag: { supported: true },
      pagination: {
        cursor: false,
        index: true,
        defaultPaginationMethod: "index",
        defaultPageSize: 100,
        maxPageSize: 1000,
      },
      authenticationSchemes: [],
    });
  });

  test("R7643-5-01 with plain-answers what RFC 7643 names alone", async () => {
    const options = { securityEvents: async () => ["urn:ietf:params:scim:event:prov:create:notice"] };
    const { pagination, securityEvents, meta: _whole, ...named } = await configOf(options);
    expect({ pagination, securityEvents }).toMatchObject({ pagination: {}, securityEvents: {} });
    const { meta: _plain, ...plain } = await configOf(options, null, createProfile("sdk", ["plain-answers"]));
    expect(plain).toEqual(named);
  });

  const urn = SERVICE_PROVIDER_CONFIG_EXTENSION_URN;
  const [dryRun, versionCoversDerived] = [{ supported: true }, { supported: true }];
  test.each([
    [[urn], { dryRun, versionCoversDerived }],
    [[urn.toUpperCase(), "patch"], { dryRun, versionCoversDerived }],
    [[`${urn}:dryRun`], { dryRun }],
    [[`${urn}:versionCoversDerived.supported`], { versionCoversDerived }],
    [[`${urn}:dry`, `${urn}s`, "dryRun", ""], undefined],
    [["patch"], undefined],
  ])(
    "R7643-7-05, R7644-4-06 asked for %j, the rest is whole, and of our own extension %j is there",
    async (attributes, own) => {
      const { meta: _own, ...config } = await configOf({}, attributes);
      const { meta: _plain, ...plain } = await configOf({});
      const schemas = own === undefined ? plain["schemas"] : [SERVICE_PROVIDER_CONFIG_URN, urn];
      expect(config).toEqual({ ...plain, schemas, ...(own === undefined ? {} : { [urn]: own }) });
    },
  );

  test("limits, documentation and authentication schemes are those of the service", async () => {
    const scheme = {
      type: "oauthbearertoken",
      name: "Bearer token",
      description: "A token of the connection.",
      specUri: "https://www.rfc-editor.org/info/rfc6750",
      primary: true,
    } as const;
    expect(
      await configOf({
        limits: { pageSize: 10, maxResults: 20, bulkOperations: 30, bulkPayload: 4000 },
        documentationUri: "https://scim.example/docs",
        authenticationSchemes: [scheme],
      }),
    ).toMatchObject({
      documentationUri: "https://scim.example/docs",
      bulk: { supported: true, maxOperations: 30, maxPayloadSize: 4000 },
      filter: { supported: true, maxResults: 20 },
      pagination: { defaultPageSize: 10, maxPageSize: 20 },
      authenticationSchemes: [scheme],
    });
  });

  test("the address of documentation may follow from the request", async () => {
    const documentationUri = ({ baseUrl }: { readonly baseUrl: string }): string => `${baseUrl}/docs`;
    const { documentationUri: shown } = await configOf({ documentationUri });
    expect(shown).toMatch(/^https:.+\/docs$/);
  });
});
