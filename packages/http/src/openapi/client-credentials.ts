/**
 * OAuth client credentials in a document: a second way to the token that operations ask for.
 * @module
 */
import type { OpenApiDocument, Operation, OperationMethod, PathItem, Paths } from "./document-types.ts";

const SCHEME = "clientCredentials";

/** What each scope opens; the document of a scope that is not here names it alone. */
const SCOPE_TEXTS: ReadonlyMap<string, string> = new Map([
  ["scim", "Everything"],
  ["scim:read", "Reading"],
  ["scim:write", "Creating and changing"],
  ["scim:delete", "Deleting"],
  ["scim:bulk", "Bulk requests, whose operations ask for their own scopes beside it"],
  ["scim:diagnostics", "Diagnostics"],
]);

const METHODS: readonly OperationMethod[] = ["get", "post", "put", "patch", "delete"];

/**
 * A document whose operations take an access token that a client gets for its credentials (RFC 6749 §4.4), beside any other
 * bearer token.
 * @param tokenUrl absolute address of the token endpoint
 */
export function withClientCredentials(document: OpenApiDocument, tokenUrl: string): OpenApiDocument {
  const scopes = new Set(["scim"]);
  const alternative = (security: Operation["security"]): Operation["security"] => {
    const asked = security.flatMap((requirement) => requirement["bearer"] ?? []);
    for (const scope of asked) scopes.add(scope);
    return [...security, { [SCHEME]: asked }];
  };
  const paths: Paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [path, withSecurity(item, alternative)]),
  );
  const flow = {
    tokenUrl,
    scopes: Object.fromEntries([...scopes].map((scope) => [scope, SCOPE_TEXTS.get(scope) ?? scope])),
  };
  const scheme = {
    type: "oauth2",
    description:
      "An access token that a client gets with a secret or a JWT assertion (RFC 6749 §4.4, RFC 7523 §2.2).",
    flows: { clientCredentials: flow },
  };
  const { components } = document;
  const securitySchemes = { ...components.securitySchemes, [SCHEME]: scheme };
  return {
    ...document,
    security: alternative(document.security),
    paths,
    components: { ...components, securitySchemes },
  };
}

function withSecurity(
  item: PathItem,
  alternative: (security: Operation["security"]) => Operation["security"],
): PathItem {
  const operations = METHODS.flatMap((method) => {
    const operation = item[method];
    if (operation === undefined) return [];
    return [[method, { ...operation, security: alternative(operation.security) }] as const];
  });
  return { ...item, ...Object.fromEntries(operations) };
}
