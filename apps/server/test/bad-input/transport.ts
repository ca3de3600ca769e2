/**
 * Requests that are wrong before SCIM begins: addresses, headers, bytes.
 * @module
 */
import { always, refused, type BadInput } from "./row.ts";

const TEN_MEGABYTES = 10 * 1024 * 1024;
const DEEP = 10_000;

const putWithTag =
  (tag: string): BadInput["send"] =>
  (world) =>
    world.client.call("PUT", world.user.path, {
      headers: { "If-Match": tag },
      body: { schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: `put-${world.unique}` },
    });

export const TRANSPORT: readonly BadInput[] = [
  always(
    "PUT with an entity tag without its end",
    refused(400, "invalidSyntax", /If-Match/, /W\/"x"/),
    putWithTag('W/"abc'),
  ),
  always(
    "PUT with an entity tag of two words",
    refused(400, "invalidSyntax", /If-Match/, /W\/"x"/),
    putWithTag("one two"),
  ),
  always("PATCH with an empty If-Match", refused(400, "invalidSyntax", /If-Match/), (world) =>
    world.client.patch(world.user.path, [{ op: "replace", path: "nickName", value: "x" }], {
      "If-Match": " ",
    }),
  ),
  always("DELETE with a malformed If-Match", refused(400, "invalidSyntax", /If-Match/), (world) =>
    world.client.call("DELETE", world.user.path, { headers: { "If-Match": '"' } }),
  ),
  always("GET with a malformed If-None-Match", refused(400, "invalidSyntax", /If-None-Match/), (world) =>
    world.client.call("GET", world.user.path, { headers: { "If-None-Match": 'W/"' } }),
  ),
  always("a body of 10 MB", refused(413, null, /1048576/), (world) =>
    world.client.call("POST", "/Users", { body: `{"userName":"${"x".repeat(TEN_MEGABYTES)}"}` }),
  ),
  always(`a body nested ${DEEP} deep`, refused(400, "invalidSyntax", /nest|deep/), (world) =>
    world.client.call("POST", "/Users", { body: `{"name":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}` }),
  ),
  always(`a body opened ${DEEP} times and never closed`, refused(400, "invalidSyntax"), (world) =>
    world.client.call("POST", "/Users", { body: '{"a":'.repeat(DEEP) }),
  ),
  always("a body that is no UTF-8", refused(400, "invalidSyntax", /UTF-8/), (world) =>
    world.client.call("POST", "/Users", { body: Buffer.from('{"userName":"ren\xe9e"}', "latin1") }),
  ),
  always("a body that is no JSON", refused(400, "invalidSyntax", /JSON/), (world) =>
    world.client.call("POST", "/Users", { body: '{"userName": }' }),
  ),
  always("an empty body", refused(400, "invalidSyntax"), (world) =>
    world.client.call("POST", "/Users", { body: "" }),
  ),
  always("a member named twice", refused(400, "invalidSyntax", /userName/, /twice/), (world) =>
    world.client.call("POST", "/Users", { body: '{"userName":"a","userName":"b"}' }),
  ),
  always("another media type", refused(415, null, /application\/scim\+json/), (world) =>
    world.client.call("POST", "/Users", { headers: { "Content-Type": "text/xml" }, body: "<user/>" }),
  ),
  always("an id that climbs", refused(404, null), (world) => world.client.call("GET", "/Users/..%2FGroups")),
  always("an id that climbs out of the base address", refused(404, null), (world) =>
    world.client.call("GET", "/Users/..%2F..%2F..%2Fhealthz"),
  ),
  always("an id with a null character", refused(404, null), (world) =>
    world.client.call("GET", "/Users/a%00b"),
  ),
  always("an id whose encoding is broken", refused(404, null), (world) =>
    world.client.call("GET", "/Users/%zz"),
  ),
  always("a deletion of an id that climbs", refused(404, null), (world) =>
    world.client.call("DELETE", `/Groups/..%2FUsers%2F${world.user.id}`),
  ),
  always("an address that is not served", refused(404, null), (world) =>
    world.client.call("GET", "/Printers"),
  ),
  always("a method that an address does not take", refused(405, null, /POST/), (world) =>
    world.client.call("POST", world.user.path, { body: {} }),
  ),
];
