/**
 * Requests that carry what names a person wherever a client can put it.
 * @module
 */
import { PATCH_OP, USER } from "../over-http/client.ts";
import { exchange } from "../over-http/exchange.ts";
import type { InProcessServer } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";

/** What must not be found where personal data is not to be, in lower case. */
export const TRACE_OF_PERSON = /quokk|wilhelmin/;

/** A user whose every value could name a person. */
const PERSON = {
  userName: "wilhelmina.quokka@example.org",
  displayName: "Wilhelmina Quokka",
  externalId: "quokka-4711",
  nickName: "Quokkina",
  emails: [{ value: "wilhelmina.quokka@example.org", type: "quokka-home" }],
};

/** Sends requests of many kinds, good ones and bad ones. Names of attributes are told, so they name nobody here. */
export async function sendPersonalRequests(server: InProcessServer): Promise<void> {
  const { id, path } = await server.user({ ...PERSON, undefinedName: "Quokka, unknown to all schemas" });
  const filters = [
    `userName eq "${PERSON.userName}"`,
    'nickName co "okki"',
    'emails[value sw "wilhelmina"]',
    'quokka eq "4711"',
    'userName eq "Wilhelmina',
  ];
  for (const filter of filters) await server.call("GET", `/Users?filter=${encodeURIComponent(filter)}`);
  await server.call("POST", "/.search", {
    body: { schemas: ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"], filter: filters[0] ?? "" },
  });
  for (const [method, address] of [
    ["GET", path],
    ["GET", "/Users/quokka-4711"],
    ["GET", "/quokka-4711/wilhelmina"],
    ["GET", "/Users/%zzquokka"],
    ["PROPFIND", "/Users/quokka-4711"],
    ["GET", "/Users?attributes=undefinedName"],
  ] as const)
    await server.call(method, address);
  await server.call("POST", "/Users", { body: { schemas: [USER], userName: PERSON.userName } });
  await server.call("POST", "/Users", { body: { schemas: [USER], userName: { text: PERSON.userName } } });
  await server.call("POST", "/Users", { body: '{"userName":"wilhelmina.quokka' });
  await server.patch(path, [
    { op: "replace", path: 'emails[type eq "quokka-work"].value', value: "quokka@x" },
  ]);
  await server.patch(path, [{ op: "replace", path: "active", value: "Quokka" }]);
  await server.call("PUT", path, { body: { schemas: [USER], ...PERSON, displayName: "Quokka, Wilhelmina" } });
  await server.call("POST", "/Bulk", {
    body: {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],
      Operations: [
        { method: "PATCH", path: "/Users/quokka-4711", data: { schemas: [PATCH_OP], Operations: [] } },
        { method: "POST", path: "/Users", bulkId: "quokka", data: { schemas: [USER], ...PERSON } },
      ],
    },
  });
  await server.call("GET", "/Users", { token: newToken("quokka") });
  await server.call("GET", "/Users", { token: "quokka-4711" });
  await server.call("GET", "/Users", { headers: { "User-Agent": "quokka/4711", "X-Request-Id": "quokka" } });
  await exchange(server.origin, { method: "GET", path: "/quokka/4711" });
  await server.call("DELETE", `/Users/${id}`);
}
