/**
 * Bodies that name the wrong schemas or attributes.
 * @module
 */
import { PATCH_OP, USER } from "../over-http/client.ts";
import { accepted, always, postUser, putUser, refused, type BadInput } from "./row.ts";

const PATCH_WITHOUT_SCHEMAS = { Operations: [{ op: "replace", path: "nickName", value: "Nick" }] };
const UNKNOWN_URN = "urn:example:nobody:knows:2.0:User";

export const BODIES: readonly BadInput[] = [
  always(
    "A-SCH-01 POST without schemas",
    refused(400, "invalidSyntax", /schemas/, /core:2\.0:User/),
    (world) => world.client.call("POST", "/Users", { body: { userName: world.unique } }),
  ),
  always("PUT without schemas", refused(400, "invalidSyntax", /schemas/, /core:2\.0:User/), (world) =>
    world.client.call("PUT", world.user.path, { body: { userName: world.unique } }),
  ),
  {
    title: "PATCH without schemas",
    send: (world) => world.client.call("PATCH", world.user.path, { body: PATCH_WITHOUT_SCHEMAS }),
    strict: refused(400, "invalidSyntax", /schemas/, new RegExp(PATCH_OP)),
    tolerant: accepted(200, ["missing-patch-schemas"], { holds: { nickName: "Nick" } }),
  },
  {
    title: "schemas with an unknown URN",
    send: postUser(() => ({ schemas: [USER, UNKNOWN_URN] })),
    strict: refused(400, "invalidSyntax", /schemas/, /leave it out/),
    tolerant: accepted(201, ["unknown-attributes"], { holds: { schemas: [USER] } }),
  },
  {
    title: "data of an unknown extension",
    send: postUser(() => ({ [UNKNOWN_URN]: { shoeSize: 44 } })),
    strict: refused(400, "invalidSyntax", new RegExp(UNKNOWN_URN)),
    tolerant: accepted(201, ["unknown-attributes"], { lacks: [UNKNOWN_URN] }),
  },
  {
    title: "A-SCH-02 POST of an unknown attribute",
    send: postUser(() => ({ shoeSize: 44 })),
    strict: refused(400, "invalidSyntax", /shoeSize/, /leave it out/),
    tolerant: accepted(201, ["unknown-attributes"], { lacks: ["shoeSize"] }),
  },
  {
    title: "PUT of an unknown sub-attribute",
    send: putUser(() => ({ name: { givenName: "Nick", maidenName: "Older" } })),
    strict: refused(400, "invalidSyntax", /name\.maidenName/, /leave it out/),
    tolerant: accepted(200, ["unknown-attributes"], { holds: { name: { givenName: "Nick" } } }),
  },
  always("POST of text where an object is due", refused(400, "invalidSyntax", /object/), (world) =>
    world.client.call("POST", "/Users", { body: '"userName"' }),
  ),
  always("POST without userName", refused(400, "invalidValue", /userName/, /required/), (world) =>
    world.client.call("POST", "/Users", { body: { schemas: [USER], nickName: world.unique } }),
  ),
  always("A-REQ-01 PUT without userName", refused(400, "invalidValue", /userName/, /required/), (world) =>
    world.client.call("PUT", world.user.path, { body: { schemas: [USER] } }),
  ),
  always(
    "POST of an empty userName",
    refused(400, "invalidValue", /userName/),
    postUser(() => ({ userName: "" })),
  ),
  always(
    "member names that differ in letter case alone",
    refused(400, "invalidSyntax", /NICKNAME/, /once/),
    postUser(() => ({ nickName: "Nick", NICKNAME: "Nico" })),
  ),
];
