import { loadTestExtension } from "@scim/fixtures";
import type { JsonObject } from "@scim/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf, PATCH_OP, SEARCH_REQUEST, USER, type Client, type Made } from "../over-http/client.ts";
import { userExtendedBy, writeDocuments, type Documents } from "../over-http/documents.ts";
import { startOwnServer, type OwnServer } from "../over-http/in-process.ts";

const TEST = "urn:example:params:scim:schemas:extension:test:2.0:User";
const LIMIT = 16_384;

let server: OwnServer;
let documents: Documents;
let client: Client;
let user: Made;
let readOnlyToken: string;

beforeAll(async () => {
  documents = await writeDocuments(userExtendedBy([loadTestExtension()]));
  server = await startOwnServer({
    SCIM_SCHEMAS: documents.directory,
    SCIM_SWITCHES: "require-version",
    SCIM_BODY_MAX_BYTES: String(LIMIT),
    SCIM_BULK_MAX_PAYLOAD_SIZE: String(LIMIT),
  });
  client = clientOf(server);
  await client.user({ userName: "taken" });
  user = await client.user({ userName: "layered", [TEST]: { badge: "B1" } });
  readOnlyToken = await server.createToken("--scope", "scim:read");
});
afterAll(async () => {
  await server.stop();
  await documents.remove();
});

/** What is wrong, one layer each. */
const WRONG = {
  token: "scim_default_nobody",
  accept: { Accept: "text/html" },
  contentType: { "Content-Type": "text/plain" },
  large: "{".repeat(LIMIT + 1),
  syntax: '{"userName":',
  version: { "If-Match": 'W/"stale"' },
} as const;

const named = (attributes: JsonObject): JsonObject => ({
  schemas: [USER],
  userName: "layered",
  ...attributes,
});
const badType = named({ active: { no: "boolean" }, userName: "taken" });
const otherBadge = named({ userName: "taken", [TEST]: { badge: "B2" } });
const takenName = named({ userName: "taken", [TEST]: { badge: "B1" } });
const noTarget: JsonObject = {
  schemas: [PATCH_OP],
  Operations: [
    { op: "replace", path: "userName", value: "taken" },
    { op: "add", path: 'emails[type co "x"].value', value: "a@example.com" },
  ],
};

interface Row {
  /** What is broken, the layer that answers first. */
  readonly broken: string;
  readonly method: string;
  /** `ITEM` stands for the user. */
  readonly path: string;
  readonly token?: () => string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject | string;
  /** Whether If-Match names the present version. */
  readonly current?: boolean;
  readonly status: number;
  readonly scimType?: string;
}

const nobody = (): string => WRONG.token;
const reader = (): string => readOnlyToken;

const ROWS: readonly Row[] = [
  {
    broken: "method, token, media type, size",
    method: "POST",
    path: "ITEM",
    token: nobody,
    headers: WRONG.contentType,
    body: WRONG.large,
    status: 405,
  },
  { broken: "method, token", method: "DELETE", path: "/Schemas", token: nobody, status: 405 },
  { broken: "method, scope", method: "GET", path: "/Bulk", token: reader, status: 405 },
  { broken: "method, token", method: "GET", path: "/.dry-run/Users", token: nobody, status: 405 },
  {
    broken: "token, media type, size",
    method: "PUT",
    path: "ITEM",
    token: nobody,
    headers: WRONG.contentType,
    body: WRONG.large,
    status: 401,
  },
  { broken: "token, address", method: "GET", path: "/Printers", token: nobody, status: 401 },
  {
    broken: "scope, accepted media type, media type, size",
    method: "PUT",
    path: "ITEM",
    token: reader,
    headers: { ...WRONG.accept, ...WRONG.contentType },
    body: WRONG.large,
    status: 403,
  },
  { broken: "scope, resource", method: "DELETE", path: "/Users/nobody", token: reader, status: 403 },
  { broken: "scope, size", method: "POST", path: "/Bulk", token: reader, body: WRONG.large, status: 403 },
  {
    broken: "accepted media type, media type, size",
    method: "PUT",
    path: "ITEM",
    headers: { ...WRONG.accept, ...WRONG.contentType },
    body: WRONG.large,
    status: 406,
  },
  {
    broken: "accepted media type, resource",
    method: "GET",
    path: "/Users/nobody",
    headers: WRONG.accept,
    status: 406,
  },
  {
    broken: "media type, size, syntax",
    method: "PUT",
    path: "ITEM",
    headers: WRONG.contentType,
    body: WRONG.large,
    status: 415,
  },
  {
    broken: "media type, syntax",
    method: "POST",
    path: "/Users/.search",
    headers: WRONG.contentType,
    body: WRONG.syntax,
    status: 415,
  },
  { broken: "size, syntax, resource", method: "PUT", path: "/Users/nobody", body: WRONG.large, status: 413 },
  { broken: "size, syntax", method: "POST", path: "/Bulk", body: WRONG.large, status: 413 },
  {
    broken: "syntax, resource, version",
    method: "PUT",
    path: "/Users/nobody",
    headers: WRONG.version,
    body: WRONG.syntax,
    status: 400,
    scimType: "invalidSyntax",
  },
  {
    broken: "schema, resource, version, uniqueness",
    method: "PUT",
    path: "/Users/nobody",
    headers: WRONG.version,
    body: badType,
    status: 400,
    scimType: "invalidValue",
  },
  {
    broken: "schema, version, uniqueness",
    method: "PUT",
    path: "ITEM",
    headers: WRONG.version,
    body: badType,
    status: 400,
    scimType: "invalidValue",
  },
  {
    broken: "schema, uniqueness",
    method: "POST",
    path: "/Users",
    body: badType,
    status: 400,
    scimType: "invalidValue",
  },
  {
    broken: "resource, business rule, version, uniqueness",
    method: "PUT",
    path: "/Users/nobody",
    headers: WRONG.version,
    body: otherBadge,
    status: 404,
  },
  { broken: "resource, version", method: "DELETE", path: "/Users/nobody", status: 404 },
  {
    broken: "business rule, version that is not current, uniqueness",
    method: "PUT",
    path: "ITEM",
    headers: WRONG.version,
    body: otherBadge,
    status: 400,
    scimType: "mutability",
  },
  {
    broken: "business rule, version that is missing, uniqueness",
    method: "PATCH",
    path: "ITEM",
    body: noTarget,
    status: 400,
    scimType: "noTarget",
  },
  {
    broken: "version that is missing, uniqueness",
    method: "PUT",
    path: "ITEM",
    body: takenName,
    status: 428,
  },
  {
    broken: "version that is not current, uniqueness",
    method: "PUT",
    path: "ITEM",
    headers: WRONG.version,
    body: takenName,
    status: 412,
  },
  {
    broken: "uniqueness alone",
    method: "PUT",
    path: "ITEM",
    body: takenName,
    current: true,
    status: 409,
    scimType: "uniqueness",
  },
  {
    broken: "syntax of a query, filter",
    method: "POST",
    path: "/Users/.search",
    body: { schemas: [SEARCH_REQUEST], count: "many", filter: "x" },
    status: 400,
    scimType: "invalidValue",
  },
];

describe("the first layer that is broken answers", () => {
  test.each(ROWS)("$status of $broken: $method $path", async (row) => {
    const { method, status, scimType } = row;
    const answer = await client.call(method, row.path.replace("ITEM", user.path), {
      headers: { ...row.headers, ...(row.current === true ? { "If-Match": user.tag } : {}) },
      ...(row.body === undefined ? {} : { body: row.body }),
      ...(row.token === undefined ? {} : { token: row.token() }),
    });
    expect(answer.status, answer.text).toBe(status);
    expect(answer.headers["content-type"]).toBe("application/scim+json; charset=utf-8");
    expect(answer.body).toMatchObject({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: String(status),
    });
    expect(answer.body["scimType"]).toBe(scimType);
    expect((await client.call("GET", user.path)).body).toEqual(user.body);
  });

  test("428 and 412 tell the current entity tag", async () => {
    const missing = await client.call("PUT", user.path, { body: takenName });
    const stale = await client.call("PUT", user.path, { body: takenName, headers: WRONG.version });
    expect([missing.headers.etag, stale.headers.etag]).toEqual([user.tag, user.tag]);
  });

  test("nothing broken is 200, though no change", async () => {
    const body = named({ [TEST]: { badge: "B1" } });
    const answer = await client.call("PUT", user.path, { body, headers: { "If-Match": user.tag } });
    expect(answer.status).toBe(200);
    expect(answer.headers.etag).toBe(user.tag);
  });
});
