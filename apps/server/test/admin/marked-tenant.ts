/**
 * A tenant that holds a mark wherever a person can be told of: in every attribute, in what clients send, in addresses, in
 * what is refused, and in what receivers of events answer.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { clientOf, ENTERPRISE, PATCH_OP, SEARCH_REQUEST, USER, type Client } from "../over-http/client.ts";
import { exchange, textMember } from "../over-http/exchange.ts";
import { startReceiver } from "../webhooks/receiver.ts";
import type { Administration } from "./administering.ts";

/** Stands in every marked text. No word of the service has it. */
export const MARK = "zqmark";

const BADGE = "urn:example:params:scim:schemas:extension:acme:1.0:Badge";
const BULK_REQUEST = "urn:ietf:params:scim:api:messages:2.0:BulkRequest";

let marks = 0;

/** Another text with the mark. */
function mark(): string {
  marks += 1;
  return `${MARK}${marks}`;
}

const DOCUMENTS: readonly JsonObject[] = [
  {
    id: BADGE,
    name: "Badge",
    attributes: [
      { name: "code", type: "string", uniqueness: "server" },
      { name: "tags", type: "string", multiValued: true },
      { name: "page", type: "reference", referenceTypes: ["external"] },
      {
        name: "desk",
        type: "complex",
        multiValued: true,
        subAttributes: [
          { name: "value", type: "string" },
          { name: "type", type: "string", canonicalValues: ["main"] },
        ],
      },
    ],
  },
  {
    name: "User",
    endpoint: "/Users",
    schema: USER,
    schemaExtensions: [
      { schema: ENTERPRISE, required: false },
      { schema: BADGE, required: false },
    ],
  },
];

/** A user with the mark in each attribute. */
function markedUser(): JsonObject {
  const value = (type: string): readonly JsonObject[] => [{ value: mark(), display: mark(), type }];
  return {
    userName: `${mark()}@example.com`,
    externalId: mark(),
    displayName: mark(),
    name: {
      formatted: mark(),
      familyName: mark(),
      givenName: mark(),
      middleName: mark(),
      honorificPrefix: mark(),
      honorificSuffix: mark(),
    },
    nickName: mark(),
    profileUrl: `https://example.com/${mark()}`,
    title: mark(),
    userType: mark(),
    preferredLanguage: `de-${mark()}`,
    locale: `de-${mark()}`,
    timezone: `Europe/${mark()}`,
    password: mark(),
    emails: [{ value: `${mark()}@example.com`, display: mark(), type: mark() }],
    phoneNumbers: value("work"),
    ims: value("aim"),
    photos: [{ value: `https://example.com/${mark()}.png`, display: mark(), type: "photo" }],
    addresses: [
      {
        formatted: mark(),
        streetAddress: mark(),
        locality: mark(),
        region: mark(),
        postalCode: mark(),
        country: mark(),
        type: mark(),
      },
    ],
    entitlements: value(mark()),
    roles: value(mark()),
    x509Certificates: [{ value: Buffer.from(mark()).toString("base64"), display: mark(), type: mark() }],
    [ENTERPRISE]: {
      employeeNumber: mark(),
      costCenter: mark(),
      organization: mark(),
      division: mark(),
      department: mark(),
    },
    [BADGE]: {
      code: mark(),
      tags: [mark(), mark()],
      page: `https://example.com/${mark()}`,
      desk: [{ value: mark(), type: mark() }],
    },
  };
}

/** What somebody who reads needs to know of it. */
export interface MarkedTenant {
  readonly tenant: string;
  /** Ids of deleted resources, by type. */
  readonly deleted: Readonly<Record<string, string>>;
  readonly webhook: string;
  readonly stream: string;
}

/** Makes one. */
export async function makeMarkedTenant(server: Administration, tenant: string): Promise<MarkedTenant> {
  const at = `/tenants/${tenant}`;
  await server.make("/tenants", { tenant });
  await changed(server, "POST", `${at}/schemas`, { Resources: DOCUMENTS });
  const client = clientOf({
    origin: server.origin,
    base: "/scim/v2",
    token: await server.tenantToken(tenant),
  });
  const echo = await startReceiver(({ body }, response) => {
    const err = { err: "invalid_request", description: `${mark()} ${body}` };
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify(err));
  });
  await server.make(`${at}/connections/default/clients`, { name: "directory" });
  const webhook = await server.make(`${at}/webhooks`, { url: echo.url, payload: "full" });
  await server.make(`${at}/streams`, {
    method: "push",
    url: `${echo.url}/push`,
    audience: "them",
    payload: "full",
  });
  const poll = await server.make(`${at}/streams`, { method: "poll", audience: "them", payload: "full" });

  const deleted = await sendMarked(client);
  const connection = `${at}/connections/default`;
  const guard = { mode: "hold", named: [`${mark()}@example.com`] };
  await changed(server, "PATCH", connection, { guard });
  await holdChanges(client);
  await nameInAddresses(server, at);
  await echo.until(2);
  await refusePolled(server.origin, tenant, poll);
  return { tenant, deleted, webhook: textMember(webhook, "id"), stream: textMember(poll, "id") };
}

async function changed(
  server: Administration,
  method: string,
  path: string,
  body: JsonObject,
): Promise<void> {
  const { status, text } = await server.send(method, path, { body, match: "*" });
  if (status >= 400) throw new Error(`${method} ${path} answered ${status}: ${text}`);
}

/** Requests of a client, good ones and bad ones. Resolves to what was deleted. */
async function sendMarked(client: Client): Promise<Readonly<Record<string, string>>> {
  const first = markedUser();
  const gone = await client.user(first);
  const kept = await client.user(markedUser());
  await client.group({
    displayName: mark(),
    externalId: mark(),
    members: [
      { value: gone.id, display: mark() },
      { value: kept.id, display: mark() },
    ],
  });
  const filters = [
    `userName eq "${mark()}"`,
    `emails[type eq "${mark()}" and value co "${mark()}"]`,
    `${BADGE}:code sw "${mark()}"`,
    `name.familyName eq ${mark()}`,
    `userName eq "${mark()}`,
    `displayName zz "${mark()}"`,
    `unknownName eq "${mark()}"`,
    `meta.lastModified gt "${mark()}"`,
  ];
  for (const filter of filters) {
    await client.call("GET", `/Users?filter=${encodeURIComponent(filter)}`);
    await client.call("POST", "/Users/.search", { body: { schemas: [SEARCH_REQUEST], filter } });
  }
  for (const query of ["count", "startIndex", "cursor", "sortOrder", "sortBy", "attributes"])
    await client.call("GET", `/Users?${query}=${encodeURIComponent(`${mark()} ?`)}`);
  for (const path of [
    `/Users/${mark()}`,
    `/Users/${mark()}%20b`,
    `/${mark()}%20c`,
    `/Groups/${mark()}?a=${mark()}`,
  ])
    for (const method of ["GET", "DELETE", "PUT"])
      await client.call(
        method,
        path,
        method === "PUT" ? { body: { schemas: [USER], userName: mark() } } : {},
      );
  await client.call("GET", kept.path, {
    headers: {
      "If-None-Match": mark(),
      "User-Agent": `client/1.0 (+mailto:${mark()}@example.com)`,
      "X-Request-Id": mark(),
      Accept: mark(),
    },
  });
  await client.call("PUT", kept.path, {
    body: { schemas: [USER], ...markedUser() },
    headers: { "If-Match": `W/"${mark()}"` },
  });
  const bodies: readonly JsonObject[] = [
    { ...first },
    { ...markedUser(), active: mark() },
    { ...markedUser(), userName: { value: mark() } },
    { ...markedUser(), emails: mark() },
    { ...markedUser(), profileUrl: `no uri ${mark()}` },
    { ...markedUser(), x509Certificates: [{ value: `no base64 ${mark()}` }] },
    { ...markedUser(), meta: { created: mark() }, id: mark() },
    { ...markedUser(), unknownName: { deeper: [mark()] }, [`${mark()} is no name`]: mark() },
    { ...markedUser(), [ENTERPRISE]: { manager: { value: mark(), displayName: mark(), $ref: mark() } } },
    { schemas: [`urn:${mark()} x`], userName: mark() },
    { schemas: [mark()], userName: mark() },
  ];
  for (const body of bodies) await client.call("POST", "/Users", { body: { schemas: [USER], ...body } });
  await client.call("POST", "/Users", { body: `{"userName":"${mark()}` });
  await client.call("POST", "/Groups", {
    body: { displayName: mark(), members: [{ value: mark(), type: mark() }] },
  });
  for (const operation of [
    { op: "replace", path: `emails[type eq "${mark()}"].value`, value: mark() },
    { op: "replace", path: `emails[value eq ${mark()}`, value: mark() },
    { op: mark(), path: "displayName", value: mark() },
    { op: "add", path: `${mark()} x`, value: mark() },
    { op: "add", value: { displayName: mark(), unknownName: mark() } },
    { op: "replace", path: "active", value: mark() },
    { op: "replace", path: "title", value: mark() },
    { op: "remove", path: `${BADGE}:desk[value eq "${mark()}"]` },
  ])
    await client.patch(kept.path, [operation]);
  await client.call("POST", "/Bulk", {
    body: {
      schemas: [BULK_REQUEST],
      Operations: [
        { method: "POST", path: "/Users", bulkId: mark(), data: { schemas: [USER], ...markedUser() } },
        { method: "POST", path: "/Users", bulkId: mark(), data: { schemas: [USER], ...first } },
        { method: "PATCH", path: `/Users/${mark()}`, data: { schemas: [PATCH_OP], Operations: [] } },
        { method: mark(), path: `/${mark()}`, version: mark() },
      ],
    },
  });
  await client.call("DELETE", gone.path);
  // Who comes anew bears the names of who is gone.
  await client.user(first);
  const team = await client.group({ displayName: mark(), members: [{ value: kept.id, display: mark() }] });
  await client.call("DELETE", team.path);
  return { User: gone.id, Group: team.id };
}

/** Changes that the guard holds: of their attributes, and of members. */
async function holdChanges(client: Client): Promise<void> {
  const users = [];
  for (let at = 0; at < 4; at += 1) users.push(await client.user(markedUser()));
  const members = users.map(({ id }) => ({ value: id, display: mark() }));
  const group = await client.group({ displayName: mark(), members });
  for (let round = 0; round < 2; round += 1) {
    for (const { path } of users) {
      const change = { active: false, displayName: mark() };
      await client.patch(path, [{ op: "replace", value: change }]);
      await client.call("DELETE", path);
    }
    await client.patch(group.path, [{ op: "replace", path: "members", value: [] }]);
  }
}

/** What an owner writes who takes a name for an id. */
async function nameInAddresses(server: Administration, at: string): Promise<void> {
  for (const [method, path] of [
    ["DELETE", `/tenants/acme/subjects/${mark()}`],
    ["POST", `${at}/deleted/User/${mark()}/restore`],
    ["GET", `${at}/deleted/User/${mark()}`],
    ["POST", `${at}/guard/release`],
    ["GET", `${at}/requests?requestId=${mark()}`],
    ["GET", `${at}/changes?since=0`],
  ] as const)
    await server.send(method, path, method === "POST" ? { body: { id: mark() } } : {});
}

async function refusePolled(origin: string, tenant: string, stream: JsonObject): Promise<void> {
  const poll = (request: JsonObject) =>
    exchange(origin, {
      method: "POST",
      path: `/events/${tenant}/${textMember(stream, "id")}/poll`,
      headers: {
        authorization: `Bearer ${textMember(stream, "token")}`,
        "content-type": "application/json",
        accept: "application/json",
      },
      body: JSON.stringify({ returnImmediately: true, ...request }),
    });
  const { body } = await poll({ maxEvents: 2 });
  const [first = "", second = ""] = Object.keys(body["sets"] ?? {});
  await poll({
    maxEvents: 1,
    setErrs: {
      [first]: { err: "invalid_request", description: mark() },
      [second]: { err: mark(), description: mark() },
    },
  });
}
