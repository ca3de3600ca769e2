/**
 * Prefixes, addresses, and where the one meets the other: null where it does not.
 * @module
 */
export const MOUNTS: readonly (readonly [
  prefix: string,
  path: string,
  found: { readonly at: string; readonly target: string; readonly tenant?: string } | null,
])[] = [
  ["/scim/v2", "/scim/v2/Users?filter=a+b", { at: "/scim/v2", target: "/Users?filter=a+b" }],
  ["/scim/v2", "/scim/v2/Users/..%2FGroups", { at: "/scim/v2", target: "/Users/..%2FGroups" }],
  ["/scim/v2", "/scim/v2/Users/a%20b?x=/y/z", { at: "/scim/v2", target: "/Users/a%20b?x=/y/z" }],
  ["/scim/v2", "/scim/v2/Users/%zz", { at: "/scim/v2", target: "/Users/%zz" }],
  ["/scim/v2", "/scim/v2", { at: "/scim/v2", target: "" }],
  ["/scim/v2", "/scim/v2/", { at: "/scim/v2", target: "/" }],
  ["/scim/v2", "/scim/v2?x=/y", { at: "/scim/v2", target: "?x=/y" }],
  ["/scim/v2", "/scim/v2/?x=/y", { at: "/scim/v2", target: "/?x=/y" }],
  ["scim/v2/", "/scim/v2/Users", { at: "/scim/v2", target: "/Users" }],
  ["/scim/v2", "/scim/v21/Users", null],
  ["/scim/v2", "/scim", null],
  ["/scim/v2", "/app", null],
  ["/scim/:tenant/v2", "/scim/acme/v2/Users", { at: "/scim/acme/v2", target: "/Users", tenant: "acme" }],
  ["/scim/:tenant/v2", "/scim/a%2Fb/v2/Me", { at: "/scim/a%2Fb/v2", target: "/Me", tenant: "a/b" }],
  ["/scim/:tenant/v2", "/scim//v2/Users", null],
  ["/scim/:tenant/v2", "/scim/%zz/v2/Users", null],
  ["/:region/scim", "/eu/scim/Users", { at: "/eu/scim", target: "/Users" }],
  ["", "/Users/1", { at: "", target: "/Users/1" }],
  ["/", "/", { at: "", target: "/" }],
];

/** What is no prefix. */
export const NO_PREFIXES: readonly string[] = ["/scim/*", "https://id.example/scim", "/scim?x", "/scim/{t}"];
