/**
 * Bodies of `.search` that are no SearchRequest, or ask for what cannot be answered.
 * @module
 */
import type { JsonObject, JsonValue } from "@scim/schemas";
import { PATCH_OP, SEARCH_REQUEST } from "../over-http/client.ts";
import { accepted, always, refused, type BadInput } from "./row.ts";

const DEEP = 10_000;
const TWO_MEGABYTES = 2 * 1024 * 1024;

const post =
  (body: JsonValue, path = "/Users/.search"): BadInput["send"] =>
  (world) =>
    world.client.call("POST", path, { body });

const search = (members: JsonObject, path?: string): BadInput["send"] =>
  post({ schemas: [SEARCH_REQUEST], ...members }, path);

export const SEARCHES: readonly BadInput[] = [
  always("an empty body", refused(400, "invalidSyntax", /empty/), post("")),
  always("a body that is no JSON", refused(400, "invalidSyntax", /JSON/), post("filter=userName+pr")),
  always("a list in the place of a message", refused(400, "invalidSyntax", /object/), post([])),
  always("null in the place of a message", refused(400, "invalidSyntax", /object/), post(null)),
  {
    title: "R7644-3.4.3-04 no schemas",
    send: post({ filter: "userName pr" }),
    strict: refused(400, "invalidSyntax", /schemas/, /SearchRequest/),
    tolerant: accepted(200, ["missing-patch-schemas"]),
  },
  always(
    "R7644-3.1-02 the schemas of another message",
    refused(400, "invalidSyntax", /schemas/, /SearchRequest/),
    post({ schemas: [PATCH_OP] }),
  ),
  always(
    "schemas that are text",
    refused(400, "invalidSyntax", /schemas/, /SearchRequest/),
    post({ schemas: SEARCH_REQUEST }),
  ),
  always(
    "a member twice, in other letter case",
    refused(400, "invalidSyntax", /count/, /once/),
    search({ count: 1, COUNT: 2 }),
  ),
  always(
    "a member named twice",
    refused(400, "invalidSyntax", /filter/, /twice/),
    post('{"filter":"a","filter":"b"}'),
  ),
  always(
    "members of other kinds of objects mean nothing",
    accepted(200, []),
    post(`{"schemas":["${SEARCH_REQUEST}"],"__proto__":{"filter":"x"},"constructor":1,"toString":"x"}`),
  ),
  always(
    `a body nested ${DEEP} deep`,
    refused(400, "invalidSyntax", /nest|deep/),
    post(`{"attributes":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}`),
  ),
  always("a body of 2 MB", refused(413, null, /1048576/), post(`{"filter":"${"x".repeat(TWO_MEGABYTES)}"}`)),
  always(
    "R7644-3.4.3-02 a filter that is a number",
    refused(400, "invalidFilter", /filter/, /string/),
    search({ filter: 5 }),
  ),
  always(
    "R7644-3.4.3-02 a filter that ends too early",
    refused(400, "invalidFilter", /Expected value/),
    search({ filter: "userName eq" }),
  ),
  always(
    "R7644-3.4.3-02 a broken filter over all types",
    refused(400, "invalidFilter"),
    search({ filter: 'userName eq "a" and' }, "/.search"),
  ),
  always("a filter that is empty", refused(400, "invalidFilter"), search({ filter: "" })),
  {
    title: "attributes as text",
    send: search({ attributes: "userName" }),
    strict: refused(400, "invalidValue", /attributes/, /array/),
    tolerant: accepted(200, ["search-as-strings"]),
  },
  always(
    "attributes with a number among them",
    refused(400, "invalidValue", /excludedAttributes/, /array/),
    search({ excludedAttributes: ["name", 5] }),
  ),
  {
    title: "a count that is text",
    send: search({ count: "10" }),
    strict: refused(400, "invalidValue", /count/, /integer/),
    tolerant: accepted(200, ["search-as-strings"]),
  },
  always("a count in words", refused(400, "invalidValue", /count/, /integer/), search({ count: "ten" })),
  always(
    "a startIndex that is a fraction",
    refused(400, "invalidValue", /startIndex/),
    search({ startIndex: 1.5 }),
  ),
  always(
    "a count that no number holds",
    refused(400, "invalidValue", /digits|double/),
    post(`{"schemas":["${SEARCH_REQUEST}"],"count":${"9".repeat(40)}}`),
  ),
  always(
    "a sortBy that is a list",
    refused(400, "invalidValue", /sortBy/, /string/),
    search({ sortBy: ["userName"] }),
  ),
  always(
    "an unknown attribute to sort by",
    refused(400, "invalidValue", /sortBy/),
    search({ sortBy: "shoeSize" }),
  ),
  always(
    "a sortOrder of no kind",
    refused(400, "invalidValue", /sortOrder/),
    search({ sortBy: "userName", sortOrder: "up" }),
  ),
  always("an address that is not served", refused(404, null), search({}, "/Printers/.search")),
  always("another media type", refused(415, null, /application\/scim\+json/), (world) =>
    world.client.call("POST", "/.search", { headers: { "Content-Type": "text/plain" }, body: "{}" }),
  ),
];
