/**
 * Metadata by which clients find out what there is: of the authorization server (RFC 8414), and of what it protects
 * (RFC 9728).
 * @module
 */
import { SCOPES } from "@scim/core";
import { authorizationServerMetadata, isTenantName, protectedResourceMetadata } from "@scim/tenancy";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { DOCS_PATH } from "../http/docs-page.ts";
import { pathOf } from "../http/mount.ts";
import { RESOURCE_PATH } from "./resource-metadata.ts";

const SERVER_PATH = "/.well-known/oauth-authorization-server";

/** What the metadata tell of. */
export interface MetadataRoutesOptions {
  /** The public address of the server, or what tells it. */
  readonly publicUrl: string | ((request: FastifyRequest) => string);
  /** Where access tokens are given. */
  readonly tokenPath: string;
  /** Where it is said that no grant begins with a person. */
  readonly authorizationPath: string;
}

/**
 * Adds the addresses. The path of what is described stands behind the well-known one (RFC 8414 §3.1, RFC 9728 §3.1), also
 * where it begins with that of the public address: a proxy that takes it away from all else hands these on as they are.
 */
export function addMetadataRoutes(
  instance: FastifyInstance,
  { publicUrl, tokenPath, authorizationPath }: MetadataRoutesOptions,
): void {
  const describedBy = (request: FastifyRequest) => {
    const issuer = typeof publicUrl === "string" ? publicUrl : publicUrl(request);
    return { issuer, scopes: SCOPES, documentation: `${issuer}${DOCS_PATH}` };
  };
  const describeServer: Describe = (request) => {
    const described = describedBy(request);
    return authorizationServerMetadata({
      ...described,
      tokenEndpoint: `${described.issuer}${tokenPath}`,
      authorizationEndpoint: `${described.issuer}${authorizationPath}`,
    });
  };
  const describe = (request: FastifyRequest, path: string): object => {
    const described = describedBy(request);
    return protectedResourceMetadata({ ...described, resource: `${described.issuer}${path}` });
  };
  const serve = (url: string, document: Describe): void => {
    // The path of the public address may be that of a resource.
    if (instance.hasRoute({ method: "GET", url })) return;
    instance.get(url, async (request, reply) => send(reply, document(request)));
  };
  for (const prefix of ["", prefixOf(publicUrl)]) {
    serve(SERVER_PATH + prefix, describeServer);
    serve(RESOURCE_PATH + prefix, (request) => describe(request, ""));
    for (const what of ["scim", "mcp", "rpc"] as const) {
      serve(RESOURCE_PATH + prefix + pathOf(what, null), (request) => describe(request, pathOf(what, null)));
      serve(RESOURCE_PATH + prefix + pathOf(what, ":tenant"), (request) => {
        const tenant = tenantOf(request.params);
        // Whether there is such a tenant is nobody's to know; what cannot be one would only be repeated.
        return isTenantName(tenant) ? describe(request, pathOf(what, tenant)) : null;
      });
    }
  }
}

/** What a request is answered; null where there is nothing. */
type Describe = (request: FastifyRequest) => object | null;

function send(reply: FastifyReply, document: object | null): FastifyReply {
  if (document === null) {
    reply.callNotFound();
    return reply;
  }
  return reply
    .headers({ "content-type": "application/json; charset=utf-8", "cache-control": "public, max-age=3600" })
    .send(JSON.stringify(document));
}

/** Paths that mean the same to the router as to everybody. */
const PLAIN_PATH = /^(?:\/[\w.~-]+)+$/;

/** The path of the public address. */
function prefixOf(publicUrl: MetadataRoutesOptions["publicUrl"]): string {
  const path = typeof publicUrl === "string" ? new URL(publicUrl).pathname.replace(/\/$/, "") : "";
  return PLAIN_PATH.test(path) ? path : "";
}

function tenantOf(params: unknown): string {
  if (typeof params !== "object" || params === null || !("tenant" in params)) return "";
  return typeof params.tenant === "string" ? params.tenant : "";
}
