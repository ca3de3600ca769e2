/**
 * PATCH requests that say nothing, or nothing that can be done.
 * @module
 */
import { PATCH_OP } from "../over-http/client.ts";
import { accepted, always, patchUser, refused, TEST, type BadInput } from "./row.ts";

export const PATCHES: readonly BadInput[] = [
  always(
    "text without a path",
    refused(400, "invalidValue", /object/, /path/),
    patchUser({ op: "add", value: "Nick" }),
  ),
  always(
    "a list without a path",
    refused(400, "invalidValue", /object/, /path/),
    patchUser({ op: "replace", value: ["Nick"] }),
  ),
  always(
    "an unknown op",
    refused(400, "invalidSyntax", /op/, /add.*remove.*replace|add.*replace.*remove/),
    patchUser({ op: "move", path: "nickName", value: "x" }),
  ),
  always(
    "no op",
    refused(400, "invalidSyntax", /op/, /add.*remove.*replace|add.*replace.*remove/),
    patchUser({ path: "nickName", value: "x" }),
  ),
  {
    title: "no operations",
    send: patchUser(),
    strict: refused(400, "invalidSyntax", /Operations/),
    tolerant: accepted(200, ["empty-operations"]),
  },
  always("Operations is text", refused(400, "invalidSyntax", /Operations/), (world) =>
    world.client.call("PATCH", world.user.path, { body: { schemas: [PATCH_OP], Operations: "add" } }),
  ),
  always(
    "an unknown attribute as path",
    refused(400, "invalidPath", /shoeSize/),
    patchUser({ op: "replace", path: "shoeSize", value: 44 }),
  ),
  always(
    "an unknown sub-attribute as path",
    refused(400, "invalidPath", /maidenName/),
    patchUser({ op: "replace", path: "name.maidenName", value: "Older" }),
  ),
  always(
    "a path that is no path",
    refused(400, "invalidPath", /Expected attribute path/, /behind character 7/),
    patchUser({ op: "replace", path: "emails[", value: "x" }),
  ),
  always(
    "a path that is a number",
    refused(400, "invalidPath", /path/),
    patchUser({ op: "replace", path: 5, value: "x" }),
  ),
  always(
    "a path of an unknown extension",
    refused(400, "invalidPath", /urn:example:nobody/),
    patchUser({ op: "replace", path: "urn:example:nobody:2.0:User:x", value: "x" }),
  ),
  always("remove without a path", refused(400, "noTarget", /path/), patchUser({ op: "remove" })),
  {
    title: "R7644-3.5.2.3-08 replace by a value path that matches nothing",
    send: patchUser({ op: "replace", path: 'emails[type eq "other"].value', value: "o@example.com" }),
    strict: refused(400, "noTarget", /emails/),
    tolerant: accepted(200, ["replace-creates-on-no-match"], {
      holds: {
        emails: [
          { value: "a@example.com", type: "work" },
          { value: "o@example.com", type: "other" },
        ],
      },
    }),
  },
  always(
    "add by a value path that matches nothing and states no equality",
    refused(400, "noTarget", /emails/),
    patchUser({ op: "add", path: 'emails[type co "oth"].value', value: "o@example.com" }),
  ),
  {
    title: "an unknown attribute within a value",
    send: patchUser({ op: "replace", value: { nickName: "Nick", shoeSize: 44 } }),
    strict: refused(400, "invalidValue", /shoeSize/, /leave it out/),
    tolerant: accepted(200, ["unknown-attributes"], { holds: { nickName: "Nick" }, lacks: ["shoeSize"] }),
  },
  always(
    "a value of the wrong type",
    refused(400, "invalidValue", /age/, /whole number/),
    patchUser({ op: "replace", path: `${TEST}:age`, value: "old" }),
  ),
  always(
    "add without a value",
    refused(400, "invalidValue", /value/),
    patchUser({ op: "add", path: "nickName" }),
  ),
  {
    title: "members to remove within an object",
    send: (world) =>
      world.client.patch(world.group.path, [
        { op: "remove", path: "members", value: { members: [{ value: world.user.id }] } },
      ]),
    strict: refused(400, "invalidValue", /members/),
    tolerant: accepted(200, ["nested-remove-value"], { lacks: ["members"] }),
  },
];
