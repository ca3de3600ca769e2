/**
 * What the routes of administration share: ports with the administrator who acts, and the names that addresses hold.
 * @module
 */
import type { ChangeOrigin } from "@scim/core";
import { ScimError } from "@scim/schemas";
import type { TenancyPorts } from "@scim/tenancy";
import type { FastifyRequest } from "fastify";
import { tenancyPorts } from "../administration/ports.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { administratorOfRequest } from "./rights.ts";

/** The ports on behalf of whoever sent a request. */
export function portsOf(opened: OpenedStore, request: FastifyRequest): TenancyPorts {
  return tenancyPorts(opened, actorOf(request));
}

/** Who sent a request, as what is done is told. */
export function actorOf(request: FastifyRequest): ChangeOrigin {
  const { name, credential } = administratorOfRequest(request);
  return { admin: name, credential, request: request.id, address: request.ip };
}

/**
 * A name that an address holds.
 * @throws ScimError `notFound`
 */
export function pathName({ params }: FastifyRequest, name: string): string {
  const members = new Map(typeof params === "object" && params !== null ? Object.entries(params) : []);
  const value: unknown = members.get(name);
  if (typeof value === "string" && value !== "") return value;
  throw new ScimError("notFound", "There is nothing at this address.");
}
