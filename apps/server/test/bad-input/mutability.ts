/**
 * Changes to what clients may not change.
 * @module
 */
import { accepted, always, patchUser, postUser, putUser, refused, TEST, type BadInput } from "./row.ts";

export const MUTABILITY: readonly BadInput[] = [
  always(
    "PUT changes an immutable value",
    refused(400, "mutability", /badge/, /immutable/),
    putUser(() => ({ [TEST]: { badge: "B2" } })),
  ),
  always(
    "PATCH changes an immutable value",
    refused(400, "mutability", /badge/, /immutable/),
    patchUser({ op: "replace", path: `${TEST}:badge`, value: "B2" }),
  ),
  always("PATCH changes the type of a member", refused(400, "mutability", /members/), (world) =>
    world.client.patch(world.group.path, [
      { op: "replace", path: `members[value eq "${world.user.id}"].type`, value: "Group" },
    ]),
  ),
  always(
    "R7644-3.3-01, R7643-4.1-09 POST of groups",
    refused(400, "mutability", /groups/, /readOnly/),
    postUser(({ group }) => ({ groups: [{ value: group.id }] })),
  ),
  always(
    "R7644-3.3-01 POST of a readOnly attribute of an extension",
    refused(400, "mutability", /quota/, /readOnly/),
    postUser(() => ({ [TEST]: { quota: 5 } })),
  ),
  {
    title: "R7643-3.1-03 POST of an id",
    send: postUser(() => ({ id: "chosen-by-the-client" })),
    strict: refused(400, "mutability", /id/, /readOnly/),
    tolerant: accepted(201, ["ignore-read-only"]),
  },
  {
    title: "R7643-3.1-06 POST of meta",
    send: postUser(() => ({ meta: { resourceType: "User", created: "1999-01-01T00:00:00Z" } })),
    strict: refused(400, "mutability", /meta/, /readOnly/),
    tolerant: accepted(201, ["ignore-read-only"]),
  },
  always(
    "POST of groups as an empty list is the same as none",
    accepted(201, [], { lacks: ["groups"] }),
    postUser(() => ({ groups: [] })),
  ),
  always(
    "R7643-4.1-09, R7644-3.5.1-08 PUT of groups changes no membership",
    accepted(200, [], {}),
    putUser(() => ({ groups: [{ value: "some-other-group" }] })),
  ),
  {
    title: "A-PUT-02 PUT of another id",
    send: putUser(() => ({ id: "another" })),
    strict: refused(400, "mutability", /id/, /readOnly/),
    tolerant: accepted(200, ["ignore-read-only"]),
  },
  {
    title: "R7644-3.5.1-08 PUT of a readOnly value",
    send: putUser(() => ({ [TEST]: { badge: "B1", quota: 9 } })),
    strict: refused(400, "mutability", /quota/, /readOnly/),
    tolerant: accepted(200, ["ignore-read-only"], { holds: { [TEST]: { badge: "B1" } } }),
  },
  always(
    "PATCH of groups",
    refused(400, "mutability", /groups/, /readOnly/),
    patchUser({ op: "add", path: "groups", value: [{ value: "g1" }] }),
  ),
  always(
    "PATCH of id",
    refused(400, "mutability", /id/, /readOnly/),
    patchUser({ op: "replace", path: "id", value: "u2" }),
  ),
  always(
    "PATCH of meta",
    refused(400, "mutability", /meta/, /readOnly/),
    patchUser({ op: "replace", path: "meta.created", value: "1999-01-01T00:00:00Z" }),
  ),
  always(
    "R7644-3.5.2.2-07 PATCH removes userName",
    refused(400, "mutability", /userName/, /required/),
    patchUser({ op: "remove", path: "userName" }),
  ),
];
