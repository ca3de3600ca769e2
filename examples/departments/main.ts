/**
 * Departments: a resource type of JSON files alone, asked for everything that a built-in type does.
 * @module
 */
import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createClient, idsOf, type Client, type Json, type Made } from "../scim-client.ts";
import { startServer } from "../scim-server.ts";

const DEPARTMENT = "urn:example:params:scim:schemas:acme:1.0:Department";
const COST_CENTRE = "urn:example:params:scim:schemas:extension:acme:1.0:Department";
const PROJECT = "urn:example:params:scim:schemas:acme:1.0:Project";
const SITE = "urn:example:params:scim:schemas:acme:1.0:Site";
const ASSIGNMENT = "urn:example:params:scim:schemas:acme:1.0:Assignment";
const USER = "urn:ietf:params:scim:schemas:core:2.0:User";

interface World {
  readonly client: Client;
  readonly baseUrl: string;
  readonly anna: Made;
  /** The whole company: it has every attribute. */
  readonly company: Made;
  /** A department of the company. */
  readonly sales: Made;
  /** A department with no more than it must have. */
  readonly lab: Made;
}

async function found(client: Client, baseUrl: string): Promise<World> {
  const anna = await client.create("/Users", { schemas: [USER], userName: "anna" });
  const company = await client.create("/Departments", {
    schemas: [DEPARTMENT, COST_CENTRE],
    code: "HQ",
    displayName: "Acme",
    kind: "staff",
    manager: { value: anna.id, display: "Anna" },
    tags: ["Head", "strategy"],
    budget: 1_250_000.5,
    headcount: 12,
    opened: "1999-04-01T08:00:00+02:00",
    logo: "aGVsbG8=",
    website: "https://acme.example/hq",
    offices: [
      { value: "Tower", type: "main", primary: true, floor: 9 },
      { value: "Annex", type: "branch", floor: 1 },
    ],
    [COST_CENTRE]: { costCentre: "CC-1", limit: 5000 },
  });
  const sales = await client.create("/Departments", {
    schemas: [DEPARTMENT],
    code: "hq",
    displayName: "Sales",
    kind: "line",
    parent: { value: company.id },
    tags: ["revenue"],
    budget: 90_000,
    opened: "2020-01-01T00:00:00Z",
    active: false,
  });
  const lab = await client.create("/Departments", { schemas: [DEPARTMENT], code: "LAB", displayName: "Lab" });
  return { client, baseUrl, anna, company, sales, lab };
}

async function discovery({ client }: World): Promise<void> {
  const { body: types } = await client.call("GET", "/ResourceTypes");
  deepEqual(idsOf(types), ["User", "Group", "Department", "Project", "Site", "Assignment"]);
  const { body: type, headers } = await client.call("GET", "/ResourceTypes/Department");
  deepEqual(type["schemaExtensions"], [{ schema: COST_CENTRE, required: false }]);
  ok(!("annotations" in type), "annotations are the service's own");
  const known = { "if-none-match": headers.get("etag") ?? "" };
  equal((await client.call("GET", "/ResourceTypes/Department", { headers: known })).status, 304);
  const { body: schema } = await client.call("GET", `/Schemas/${DEPARTMENT}`);
  equal(schema["name"], "Department");
}

async function representation({ client, baseUrl, anna, company, sales, lab }: World): Promise<void> {
  const { body } = await client.call("GET", company.path);
  deepEqual(body["schemas"], [DEPARTMENT, COST_CENTRE]);
  deepEqual(body["manager"], { value: anna.id, display: "Anna", $ref: `${baseUrl}/Users/${anna.id}` });
  equal(body["active"], true, "the annotated default");
  const { body: child } = await client.call("GET", sales.path);
  deepEqual(child["parent"], { value: company.id, $ref: `${baseUrl}/Departments/${company.id}` });
  const { body: least } = await client.call("GET", lab.path);
  deepEqual(Object.keys(least), ["schemas", "id", "code", "displayName", "active", "meta"]);
}

async function filters({ client, anna, company, sales, lab }: World): Promise<void> {
  const filtered: readonly (readonly [filter: string, made: readonly Made[]])[] = [
    ['code eq "HQ"', [company]],
    ['displayName co "A"', [company, sales, lab]],
    ['kind eq "LINE"', [sales]],
    [`manager.value eq "${anna.id}"`, [company]],
    [`parent.value eq "${company.id}"`, [sales]],
    ["not (parent pr)", [company, lab]],
    ['tags eq "HEAD"', [company]],
    ['tags sw "re" or tags co "rat"', [company, sales]],
    ["budget gt 90000", [company]],
    ["budget le 1250000.50", [company, sales]],
    ["headcount ge 12 and headcount lt 13", [company]],
    ['opened eq "1999-04-01T06:00:00Z"', [company]],
    ['opened gt "2019-12-31T23:59:59-01:00"', []],
    ["active eq false", [sales]],
    ["logo pr", [company]],
    ['website ew "/hq"', [company]],
    ['offices[type eq "main" and floor gt 5]', [company]],
    ['offices[type eq "branch" and floor gt 5]', []],
    [`${COST_CENTRE}:costCentre eq "CC-1"`, [company]],
    [`${COST_CENTRE}:limit lt 100`, []],
    ['meta.resourceType eq "Department" and schemas eq "' + COST_CENTRE + '"', [company]],
  ];
  for (const [filter, made] of filtered) await client.finds({ filter }, made);
  await client.refused(client.call("GET", "/Departments?filter=size+eq+1"), 400, "invalidFilter");
}

async function order({ client, company, sales, lab }: World): Promise<void> {
  await client.finds({ sortBy: "displayName" }, [company, lab, sales]);
  await client.finds({ sortBy: "budget", sortOrder: "descending" }, [lab, company, sales]);
  await client.finds({ sortBy: "opened" }, [company, sales, lab]);
  await client.finds({ sortBy: `${COST_CENTRE}:costCentre` }, [company, sales, lab]);
  const { body } = await client.call("GET", "/Departments?sortBy=displayName&startIndex=2&count=1");
  deepEqual([body["totalResults"], idsOf(body)], [3, [lab.id]]);
}

async function projection({ client, company }: World): Promise<void> {
  const { body: named } = await client.call(
    "GET",
    `${company.path}?attributes=tags,offices.floor,${COST_CENTRE}:limit`,
  );
  deepEqual(Object.keys(named), ["schemas", "id", "tags", "offices", COST_CENTRE, "meta"]);
  deepEqual(named["offices"], [{ floor: 9 }, { floor: 1 }]);
  const { body: rest } = await client.call(
    "GET",
    `${company.path}?excludedAttributes=offices,${COST_CENTRE}`,
  );
  ok(!("offices" in rest) && !(COST_CENTRE in rest));
}

async function patches({ client, company, lab }: World): Promise<void> {
  const changed = await client.patch(
    company.path,
    { op: "replace", path: 'offices[type eq "branch"].floor', value: 2 },
    { op: "add", path: "tags", value: ["new", "new"] },
    { op: "replace", path: `${COST_CENTRE}:approver`, value: "Bo" },
    { op: "remove", path: "website" },
  );
  deepEqual(changed["tags"], ["Head", "strategy", "new"]);
  deepEqual(changed["offices"], [
    { value: "Tower", type: "main", primary: true, floor: 9 },
    { value: "Annex", type: "branch", floor: 2 },
  ]);
  deepEqual(changed[COST_CENTRE], { costCentre: "CC-1", limit: 5000, approver: "Bo" });
  ok(!("website" in changed));

  const extended = await client.patch(lab.path, {
    op: "add",
    value: { [COST_CENTRE]: { costCentre: "CC-2" } },
  });
  deepEqual(extended["schemas"], [DEPARTMENT, COST_CENTRE]);
  const plain = await client.patch(lab.path, { op: "remove", path: COST_CENTRE });
  deepEqual(plain["schemas"], [DEPARTMENT]);
}

async function errors({ client, company, lab }: World): Promise<void> {
  const post = (body: Json): ReturnType<Client["call"]> =>
    client.call("POST", "/Departments", {
      body: { schemas: [DEPARTMENT], code: "NEW", displayName: "New", ...body },
    });
  const refusals: readonly (readonly [body: Json, status: number, scimType: string, path: string])[] = [
    [{ code: "HQ" }, 409, "uniqueness", "'code'"],
    [{ code: null }, 400, "invalidValue", "'code' is required"],
    [{ code: "X" }, 400, "invalidValue", "'code' must have at least 2 characters"],
    [{ budget: -1 }, 400, "invalidValue", "'budget' must be at least 0"],
    [{ budget: 1.234 }, 400, "invalidValue", "'budget' must have at most 2 digits after the point"],
    [{ headcount: 1.5 }, 400, "invalidValue", "'headcount'"],
    [{ opened: "yesterday" }, 400, "invalidValue", "'opened'"],
    [{ logo: "%%" }, 400, "invalidValue", "'logo'"],
    [{ tags: ["x".repeat(33)] }, 400, "invalidValue", "'tags[0]'"],
    [{ offices: [{ floor: "nine" }] }, 400, "invalidValue", "'offices[0].floor'"],
    [{ [COST_CENTRE]: { approver: "Bo" } }, 400, "invalidValue", "costCentre' is required"],
    [{ [COST_CENTRE]: { costCentre: "CC-1" } }, 409, "uniqueness", "costCentre'"],
  ];
  for (const [body, status, scimType, words] of refusals) {
    const refused = await client.refused(post(body), status, scimType);
    ok(String(refused.body["detail"]).includes(words), `${words}: ${String(refused.body["detail"])}`);
  }
  const immutable = { schemas: [DEPARTMENT], code: "HQ", displayName: "Acme", kind: "line" };
  await client.refused(client.call("PUT", company.path, { body: immutable }), 400, "mutability");
  await client.refused(client.call("GET", "/Departments/nothing"), 404);
  equal((await client.call("GET", lab.path)).status, 200);
}

async function versions({ client, lab }: World): Promise<void> {
  const { headers } = await client.call("GET", lab.path);
  const tag = headers.get("etag") ?? "";
  match(tag, /^W\/"/);
  equal((await client.call("GET", lab.path, { headers: { "if-none-match": tag } })).status, 304);
  const body = { schemas: [DEPARTMENT], code: "LAB", displayName: "Laboratory" };
  const replaced = await client.call("PUT", lab.path, { body, headers: { "if-match": tag } });
  equal(replaced.status, 200);
  notEqual(replaced.headers.get("etag"), tag);
  await client.refused(client.call("PUT", lab.path, { body, headers: { "if-match": tag } }), 412);
}

/** `Department.projects` are rows: `Project.departments` shows them from the other end, `/Assignments` one by one. */
async function references({ client, baseUrl, company, sales }: World): Promise<void> {
  const apollo = await client.create("/Projects", { schemas: [PROJECT], displayName: "Apollo" });
  const gemini = await client.create("/Projects", { schemas: [PROJECT], displayName: "Gemini" });
  await client.patch(company.path, {
    op: "add",
    path: "projects",
    value: [{ value: apollo.id }, { value: "nowhere" }],
  });
  await client.patch(sales.path, { op: "add", path: "projects", value: [{ value: apollo.id }] });
  const { body: shown } = await client.call("GET", apollo.path);
  deepEqual(shown["departments"], [
    { value: company.id, $ref: `${baseUrl}/Departments/${company.id}`, display: "Acme" },
    { value: sales.id, $ref: `${baseUrl}/Departments/${sales.id}`, display: "Sales" },
  ]);
  await client.finds({ filter: `departments.value eq "${sales.id}"` }, [apollo], "/Projects");
  await client.finds({ filter: `projects.value eq "${apollo.id}"` }, [company, sales]);

  const row = { schemas: [ASSIGNMENT], department: { value: sales.id }, project: { value: gemini.id } };
  const made = await client.create("/Assignments", row);
  equal(made.id, `${sales.id}~${gemini.id}`);
  await client.refused(client.call("POST", "/Assignments", { body: row }), 409, "uniqueness");
  await client.finds({ filter: `project.value eq "${gemini.id}"` }, [made], "/Assignments");
  const { body: first } = await client.call("GET", "/Assignments?cursor=&count=2");
  const { body: second } = await client.call(
    "GET",
    `/Assignments?cursor=${String(first["nextCursor"])}&count=2`,
  );
  deepEqual([idsOf(first).length, idsOf(second)], [2, [`${sales.id}~${apollo.id}`, made.id]]);
  equal((await client.call("DELETE", made.path, { headers: { "if-match": made.tag } })).status, 204);
  const { body: gone } = await client.call("GET", gemini.path);
  ok(!("departments" in gone));
}

async function narrowed({ client }: World): Promise<void> {
  const site = await client.create("/Sites", { schemas: [SITE], displayName: "Harbour", country: "NL" });
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    const { status, headers } = await client.call(method, site.path, { body: { schemas: [SITE] } });
    equal(status, 405, method);
    ok(!(headers.get("allow") ?? "").includes(method));
  }
  const { body: type } = await client.call("GET", "/ResourceTypes/Site");
  deepEqual(type["operations"], ["create", "read", "query"]);
}

async function deletion({ client, company, sales }: World): Promise<void> {
  equal((await client.call("DELETE", company.path)).status, 204);
  await client.refused(client.call("GET", company.path), 404);
  const { body: child } = await client.call("GET", sales.path);
  ok("parent" in child, "references to what is deleted stay");
  const again = await client.create("/Departments", {
    schemas: [DEPARTMENT],
    code: "HQ",
    displayName: "Acme",
  });
  notEqual(again.id, company.id);
}

const folder = process.argv[2] ?? fileURLToPath(new URL(".", import.meta.url));
const server = await startServer(folder);
try {
  const world = await found(createClient(server, "/Departments"), server.baseUrl);
  const steps = [
    discovery,
    representation,
    filters,
    order,
    projection,
    patches,
    errors,
    versions,
    references,
    narrowed,
    deletion,
  ];
  for (const step of steps) {
    await step(world);
    console.log(`departments: ${step.name}`);
  }
} finally {
  await server.stop();
}
