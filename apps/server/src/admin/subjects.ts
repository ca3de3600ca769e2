/**
 * `DELETE /admin/v1/tenants/{tenant}/subjects/{id}`, also `DELETE /admin/v1/subjects/{id}?tenant=`: erases what is kept
 * of a person.
 * @module
 */
import type { ChangeOrigin } from "@scim/core";
import { eraseSubject, type Erasing, type ErasureReport } from "@scim/events";
import { ScimError } from "@scim/schemas";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { pathName } from "./acting.ts";
import { tenantOf } from "./page-parameters.ts";
import { administratorOfRequest, asks } from "./rights.ts";

/** What erases. */
export interface SubjectRoutes {
  readonly erasingFor: (origin: ChangeOrigin) => Erasing;
  /** Copies of the database that hold still what was erased. */
  readonly copies: () => readonly string[];
}

/** The routes of erasures. */
export function subjectRoutes({ erasingFor, copies }: SubjectRoutes): FastifyPluginAsync {
  return async (instance) => {
    const erase = async (
      request: FastifyRequest,
    ): Promise<ErasureReport & { readonly backups: readonly string[] }> => {
      const { name, credential } = administratorOfRequest(request);
      const origin = { admin: name, credential, request: request.id, address: request.ip };
      const subject = { tenant: tenantOf(request), id: pathName(request, "id") };
      const report = await eraseSubject(erasingFor(origin), subject);
      if (report !== null) return { ...report, backups: copies() };
      throw new ScimError(
        "notFound",
        "Nothing is kept of this subject. A subject is named by the 'id' of its resource.",
      );
    };
    for (const address of ["/tenants/:tenant/subjects/:id", "/subjects/:id"])
      instance.delete(address, asks("own"), erase);
  };
}
