/**
 * Bulk jobs that are none, and operations that cannot be done.
 * @module
 */
import type { JsonObject, JsonValue } from "@scim/schemas";
import { BULK_REQUEST, GROUP, PATCH_OP, USER } from "../over-http/client.ts";
import { accepted, always, refused, type BadInput, type World } from "./row.ts";

const DEEP = 10_000;
const FIVE_MEGABYTES = 5 * 1024 * 1024;

const post =
  (body: JsonValue): BadInput["send"] =>
  (world) =>
    world.client.call("POST", "/Bulk", { body });

const job = (members: JsonObject): BadInput["send"] => post({ schemas: [BULK_REQUEST], ...members });

const create = (bulkId: string, userName: string): JsonObject => ({
  method: "POST",
  path: "/Users",
  bulkId,
  data: { schemas: [USER], userName },
});

/** A job whose operations each fail with their own error, and nothing else does. */
function operations(
  title: string,
  errors: readonly JsonObject[],
  made: (world: World) => readonly JsonValue[],
): BadInput {
  const results = errors.map((response) => ({ status: response["status"] ?? "", response }));
  return always(title, accepted(200, [], { holds: { Operations: results } }), async (world) => {
    const answer = await job({ Operations: made(world) })(world);
    for (const { path } of [world.user, world.group]) {
      const { status } = await world.client.call("GET", path);
      if (status !== 200) throw new Error(`${path} is gone: ${status}`);
    }
    return answer;
  });
}

const SYNTAX: JsonObject = { status: "400", scimType: "invalidSyntax" };
const VALUE: JsonObject = { status: "400", scimType: "invalidValue" };
const NOT_FOUND: JsonObject = { status: "404" };

/** Paths that lead elsewhere, or nowhere. */
const WRONG_PATHS: readonly (readonly [path: string, error: JsonObject])[] = [
  ["/Users/../Groups/{id}", VALUE],
  ["/Users/..%2FGroups%2F{id}", VALUE],
  ["/Users/{id}/../{id}", VALUE],
  ["//Users/{id}", VALUE],
  ["/Users/{id}?attributes=userName", VALUE],
  ["/Users/{id}#x", VALUE],
  ["/Users/%00", VALUE],
  ["/Users/%zz", VALUE],
  ["https://elsewhere.example/scim/v2/Users/{id}", VALUE],
  ["/Users", VALUE],
  ["/Bulk", VALUE],
  ["/.search", VALUE],
  ["/Users/.search", VALUE],
  ["/Schemas/x", VALUE],
  ["/.dry-run/Users/{id}", VALUE],
  ["/Printers/1", NOT_FOUND],
  ["/__proto__/1", NOT_FOUND],
  ["/Users/nobody", NOT_FOUND],
];

export const BULK_JOBS: readonly BadInput[] = [
  always("R7644-3.7-04 an empty body", refused(400, "invalidSyntax", /empty/), post("")),
  always("R7644-3.7-04 a list in the place of a message", refused(400, "invalidSyntax", /object/), post([])),
  always(
    "R7644-3.7-04 no schemas",
    refused(400, "invalidSyntax", /schemas/, /BulkRequest/),
    post({ Operations: [] }),
  ),
  always(
    "R7644-3.1-02 the schemas of another message",
    refused(400, "invalidSyntax", /schemas/, /BulkRequest/),
    post({ schemas: [PATCH_OP], Operations: [] }),
  ),
  always("R7644-3.7-02 no Operations", refused(400, "invalidSyntax", /Operations/), job({})),
  always(
    "R7644-3.7-04 Operations as an object",
    refused(400, "invalidSyntax", /Operations/),
    job({ Operations: {} }),
  ),
  ...[0, -1, 1.5, "1", true].map((failOnErrors) =>
    always(
      `R7644-3.7-08 failOnErrors ${JSON.stringify(failOnErrors)}`,
      refused(400, "invalidValue", /failOnErrors/),
      job({ failOnErrors, Operations: [] }),
    ),
  ),
  always(
    "R7644-3.7-11 1,001 operations",
    refused(413, null, /maxOperations/, /1000/),
    job({ Operations: Array.from({ length: 1001 }, (_, n) => create(`b${n}`, `u${n}`)) }),
  ),
  always(
    "R7644-3.7-11 5 MB",
    refused(413, null, /maxPayloadSize/, /4194304/),
    post(`{"x":"${"x".repeat(FIVE_MEGABYTES)}"}`),
  ),
  always(
    `a job nested ${DEEP} deep`,
    refused(400, "invalidSyntax", /nest|deep/),
    post(`{"Operations":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}`),
  ),
  always("another media type", refused(415, null), (world) =>
    world.client.call("POST", "/Bulk", { headers: { "Content-Type": "text/plain" }, body: "{}" }),
  ),
  operations("R7644-3.7-04 operations that are none", [SYNTAX, SYNTAX, SYNTAX], () => [null, "POST", []]),
  operations(
    "R7644-3.7-02 R7644-3.7-06 methods that are none of the four",
    [SYNTAX, SYNTAX, SYNTAX, SYNTAX],
    ({ user }) => [
      { path: user.path },
      { method: "GET", path: user.path },
      { method: 5, path: user.path },
      { method: "__proto__", path: user.path },
    ],
  ),
  operations(
    "R7644-3.7-02 no path, no data, no bulkId",
    [SYNTAX, SYNTAX, SYNTAX, SYNTAX],
    ({ user, unique }) => [
      { method: "DELETE" },
      { method: "DELETE", path: 5 },
      { method: "PUT", path: user.path },
      { method: "POST", path: "/Users", data: { schemas: [USER], userName: `bulk-${unique}` } },
    ],
  ),
  ...WRONG_PATHS.map(([path, error]) =>
    operations(`R7644-3.7-05 R7644-3.7-06 DELETE of ${path}`, [error], ({ user }) => [
      { method: "DELETE", path: path.replaceAll("{id}", user.id) },
    ]),
  ),
  operations("R7644-3.7-03 POST to a resource", [VALUE], ({ user, unique }) => [
    { ...create("a", `bulk-${unique}`), path: user.path },
  ]),
  operations("R7644-3.7.3-07 a PATCH of a bare list", [SYNTAX], ({ user }) => [
    { method: "PATCH", path: user.path, data: [{ op: "replace", path: "nickName", value: "x" }] },
  ]),
  always(
    "R7644-3.7-04 a bulkId that stands twice",
    accepted(200, [], { holds: { Operations: [{ status: "201" }, { status: "400", response: VALUE }] } }),
    (world) =>
      job({ Operations: [create("a", `one-${world.unique}`), create("a", `two-${world.unique}`)] })(world),
  ),
  operations("R7644-3.7.2-04 a reference to nothing in the job", [VALUE], ({ unique }) => [
    {
      method: "POST",
      path: "/Groups",
      bulkId: "g",
      data: { schemas: [GROUP], displayName: `bulk-${unique}`, members: [{ value: "bulkId:nobody" }] },
    },
  ]),
  operations("R7644-3.7.2-04 a path that refers to nothing in the job", [VALUE], () => [
    { method: "DELETE", path: "/Users/bulkId:nobody" },
  ]),
  always(
    "R7644-3.7.2-05 a reference to a POST that fails",
    accepted(200, [], {
      holds: { Operations: [{ status: "400" }, { status: "409", response: { status: "409" } }] },
    }),
    (world) =>
      job({
        Operations: [
          { method: "POST", path: "/Users", bulkId: "u", data: { schemas: [USER] } },
          {
            method: "POST",
            path: "/Groups",
            bulkId: "g",
            data: { schemas: [GROUP], displayName: `g-${world.unique}`, members: [{ value: "bulkId:u" }] },
          },
        ],
      })(world),
  ),
  operations("R7644-3.7-10 a stale version", [{ status: "412" }], ({ user }) => [
    { method: "DELETE", path: user.path, version: 'W/"stale"' },
  ]),
  operations("a version that is none", [SYNTAX, SYNTAX], ({ user }) => [
    { method: "DELETE", path: user.path, version: 'W/"' },
    { method: "DELETE", path: user.path, version: 5 },
  ]),
];
