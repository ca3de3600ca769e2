/**
 * Queries that cannot be answered, or only by a rule of RFC 7644 §3.4.2.
 * @module
 */
import { accepted, always, refused, type BadInput } from "./row.ts";

function query(parameters: Readonly<Record<string, string>>): BadInput["send"] {
  const search = new URLSearchParams(parameters).toString();
  return (world) => world.client.call("GET", `/Users?${search}`);
}

const filter = (text: string): BadInput["send"] => query({ filter: text });

export const QUERIES: readonly BadInput[] = [
  always(
    "a filter that ends too early",
    refused(400, "invalidFilter", /Expected value/, /behind character 11/),
    filter("userName eq"),
  ),
  always(
    "a filter with an unknown operator",
    refused(400, "invalidFilter", /Expected one of the operators eq, ne/, /character 10/),
    filter('userName like "a"'),
  ),
  always(
    "a filter by an unknown attribute",
    refused(400, "invalidFilter", /shoeSize/),
    filter("shoeSize eq 44"),
  ),
  always(
    "a filter that compares text with a number",
    refused(400, "invalidFilter", /userName/),
    filter("userName eq 5"),
  ),
  always(
    "a filter that compares a boolean with a number",
    refused(400, "invalidFilter", /active/),
    filter("active eq 1"),
  ),
  always(
    "a filter that compares a date with a word",
    refused(400, "invalidFilter", /meta\.created/),
    filter('meta.created gt "soon"'),
  ),
  always(
    "R7644-3.4.2.2-T-03 booleans have no order",
    refused(400, "invalidFilter", /active/, /gt/),
    filter("active gt true"),
  ),
  always(
    "a filter that names the password",
    refused(400, "invalidFilter", /password/),
    filter('password eq "secret"'),
  ),
  {
    title: "a filter with single quotes",
    send: filter("userName eq 'nobody'"),
    strict: refused(400, "invalidFilter", /double quotes/, /character 13/),
    tolerant: accepted(200, ["lenient-literals"], { holds: { totalResults: 0 } }),
  },
  {
    title: "a comparison behind a value path",
    send: filter('emails[type eq "work"].value eq "nobody@example.com"'),
    strict: refused(400, "invalidFilter", /emails/),
    tolerant: accepted(200, ["value-path-comparison"], { holds: { totalResults: 0 } }),
  },
  always(
    "R7644-3.4.2.4-01 a negative startIndex is 1",
    accepted(200, [], { holds: { startIndex: 1 } }),
    query({ startIndex: "-5" }),
  ),
  always(
    "R7644-3.4.2.4-01 startIndex 0 is 1",
    accepted(200, [], { holds: { startIndex: 1 } }),
    query({ startIndex: "0" }),
  ),
  always(
    "R7644-3.4.2.4-02 a negative count is 0",
    accepted(200, [], { holds: { itemsPerPage: 0, Resources: [] } }),
    query({ count: "-1" }),
  ),
  always(
    "R7644-3.4.2.4-05 a huge startIndex is past the end",
    accepted(200, [], { holds: { itemsPerPage: 0, Resources: [] } }),
    query({ startIndex: "999999999999999" }),
  ),
  always(
    "a startIndex that no number holds is past the end",
    accepted(200, [], { holds: { itemsPerPage: 0, Resources: [] } }),
    query({ startIndex: "9".repeat(40) }),
  ),
  always("R7644-3.4.2-10 a huge count is cut", accepted(200, []), query({ count: "9".repeat(40) })),
  always(
    "R7644-3.4.2.4-06 a count that is a fraction",
    refused(400, "invalidValue", /count/, /integer/),
    query({ count: "1.5" }),
  ),
  always(
    "R7644-3.4.2.4-06 a count that is a word",
    refused(400, "invalidValue", /count/, /integer/),
    query({ count: "all" }),
  ),
  always(
    "R7644-3.4.2.4-06 a startIndex that is a word",
    refused(400, "invalidValue", /startIndex/, /integer/),
    query({ startIndex: "first" }),
  ),
  always(
    "A-FLT-18 an unknown attribute to sort by",
    refused(400, "invalidValue", /sortBy/, /attribute of User/),
    query({ sortBy: "shoeSize" }),
  ),
  {
    title: "R7644-3.9-11 an unknown attribute to answer with",
    send: (world) => world.client.call("GET", `${world.user.path}?attributes=shoeSize,userName`),
    strict: refused(400, "invalidValue", /shoeSize/),
    tolerant: accepted(200, ["unknown-projection-names"], { lacks: ["emails"] }),
  },
];
