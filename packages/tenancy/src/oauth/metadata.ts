/**
 * What clients find out by themselves: metadata of the authorization server (RFC 8414) and of what it protects
 * (RFC 9728).
 * @module
 */
import { JWT_ALGORITHMS } from "./jwt/foreign-jwt.ts";

/** What metadata says, whichever it is. */
interface Described {
  /** Identifier of the authorization server: its public address. */
  readonly issuer: string;
  /** Scopes that may be asked for; those of administrators are left out. */
  readonly scopes: readonly string[];
  /** Address of a page for people. */
  readonly documentation: string;
}

/** What the metadata of the authorization server is made of. */
export interface AuthorizationServer extends Described {
  readonly tokenEndpoint: string;
  /** Where a person would be asked: it is named for clients that read no metadata without it, and gives nothing. */
  readonly authorizationEndpoint: string;
}

/** What the metadata of a resource is made of. */
export interface ProtectedResource extends Described {
  /** Identifier of the resource: the base address of SCIM. */
  readonly resource: string;
}

/**
 * Metadata of the authorization server (RFC 8414 §2). `response_types_supported` is required, also where there are none
 * (§3.2 leaves out members without elements), and the official clients of the Model Context Protocol refuse metadata
 * without it or without an authorization endpoint, whatever grant they are about to use.
 */
export function authorizationServerMetadata(server: AuthorizationServer): object {
  const { issuer, tokenEndpoint, authorizationEndpoint, scopes, documentation } = server;
  return {
    issuer,
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
    response_types_supported: [],
    scopes_supported: ofClients(scopes),
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: [...JWT_ALGORITHMS],
    service_documentation: documentation,
  };
}

/** Metadata of a base address of SCIM (RFC 9728 §2). */
export function protectedResourceMetadata(of: ProtectedResource): object {
  const { resource, issuer, scopes, documentation } = of;
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: ofClients(scopes),
    bearer_methods_supported: ["header"],
    resource_documentation: documentation,
  };
}

function ofClients(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => scope === "scim" || scope.startsWith("scim:"));
}
