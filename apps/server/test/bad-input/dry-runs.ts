/**
 * Dry runs that cannot be read as one, and protocol versions that are not spoken.
 * @module
 */
import { USER, clientOf } from "../over-http/client.ts";
import { always, refused, type BadInput } from "./row.ts";

const DEEP = 10_000;

const post =
  (path: string, body: string, headers: Readonly<Record<string, string>> = {}): BadInput["send"] =>
  (world) =>
    world.client.call("POST", path, { body, headers });

const user = JSON.stringify({ schemas: [USER], userName: "never-made" });

/** An address beside that of version 2. */
const beside =
  (base: string, method: string, path: string): BadInput["send"] =>
  ({ server }) =>
    clientOf({ ...server, base }).call(method, path);

export const DRY_RUNS: readonly BadInput[] = [
  always("a body that is no JSON", refused(400, "invalidSyntax", /JSON/), post("/.dry-run/Users", "{")),
  always("an empty body", refused(400, "invalidSyntax", /empty/), post("/.dry-run/Users", "")),
  always(
    `a body nested ${DEEP} deep`,
    refused(400, "invalidSyntax", /nest|deep/),
    post("/.dry-run/Users", "[".repeat(DEEP)),
  ),
  always(
    "a body of 2 MB",
    refused(413, null, /1048576/),
    post("/.dry-run/Users", " ".repeat(2 * 1024 * 1024)),
  ),
  always(
    "another media type",
    refused(415, null),
    post("/.dry-run/Users", user, { "Content-Type": "text/csv" }),
  ),
  always("a bulk job", refused(400, "invalidValue", /one by one/), post("/.dry-run/Bulk", "{}")),
  always("a type that is not served", refused(404, null), post("/.dry-run/Printers", user)),
  always("a read", refused(405, null, /POST/), (world) => world.client.call("GET", "/.dry-run/Users")),
  ...["yes", "1", "true;", "tru", "true, false"].map((word) =>
    always(
      `SCIM-Dry-Run: ${word} on a POST`,
      refused(400, "invalidValue", /SCIM-Dry-Run/, /true or false/),
      post("/Users", user, { "SCIM-Dry-Run": word }),
    ),
  ),
  always("SCIM-Dry-Run: no on a DELETE", refused(400, "invalidValue", /SCIM-Dry-Run/), (world) =>
    world.client.call("DELETE", world.user.path, { headers: { "SCIM-Dry-Run": "no" } }),
  ),
  always("a malformed If-Match", refused(400, "invalidSyntax", /If-Match/), (world) =>
    world.client.call("DELETE", `/.dry-run${world.user.path}`, { headers: { "If-Match": '"' } }),
  ),
];

export const PROTOCOL_VERSIONS: readonly BadInput[] = [
  always(
    "R7644-3.13-02 version 1",
    refused(400, "invalidVers", /\/scim\/v2/),
    beside("/scim/v1", "GET", "/Users"),
  ),
  always(
    "R7644-3.13-02 version 3",
    refused(400, "invalidVers", /\/scim\/v2/),
    beside("/scim/v3", "POST", "/Bulk"),
  ),
  always(
    "R7644-3.13-02 version 1 of a tenant",
    refused(400, "invalidVers", /\/scim\/v2/),
    beside("/scim/default/v1", "DELETE", "/Users/1"),
  ),
];
