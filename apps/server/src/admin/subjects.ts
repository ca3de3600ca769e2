/**
 * `DELETE /admin/v1/tenants/{tenant}/subjects/{id}?type=`, also `DELETE /admin/v1/subjects/{id}?tenant=&type=`: erases what
 * is kept of a person. `/admin/v1/tenants/{tenant}/erasures`: the list of those who were erased, and erasing them again.
 * @module
 */
import type { ChangeOrigin } from "@scim/core";
import {
  ErasureKeyMissing,
  eraseSubject,
  type Erasing,
  type Erasure,
  type ErasureReport,
  type ErasureStore,
  replayErasures,
} from "@scim/events";
import { type JsonValue, ScimError } from "@scim/schemas";
import { findTenant, type TenantStore } from "@scim/tenancy";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { erasureOfEntry } from "../erasure/erasure-file.ts";
import { actorOf, pathName } from "./acting.ts";
import { bodyOf, type ReadMember, required } from "./body.ts";
import { KEY_PAGE, keyPageOf } from "./key-page.ts";
import { parameterOf, taking, tenantOf } from "./parameters.ts";
import { asks, asksOfPerson } from "./rights.ts";

/** What erases. */
export interface SubjectRoutes {
  readonly tenants: TenantStore;
  readonly erasures: ErasureStore;
  readonly erasingFor: (origin: ChangeOrigin) => Erasing;
  /** Copies of the database that hold still what was erased. */
  readonly copies: () => readonly string[];
}

/** The routes of erasures. */
export function subjectRoutes({ tenants, erasures, erasingFor, copies }: SubjectRoutes): FastifyPluginAsync {
  return async (instance) => {
    const erase = async (
      request: FastifyRequest,
    ): Promise<ErasureReport & { readonly backups: readonly string[] }> => {
      const subject = {
        tenant: tenantOf(request),
        id: pathName(request, "id"),
        type: parameterOf(request, "type") ?? undefined,
      };
      const report = await eraseSubject(erasingFor(actorOf(request)), subject);
      if (report !== null) return { ...report, backups: copies() };
      throw new ScimError(
        "notFound",
        "Nothing is kept of this subject. A subject is named by the 'id' of its resource, and where several have it by its 'type'.",
      );
    };
    instance.delete("/tenants/:tenant/subjects/:id", taking(asksOfPerson("own", "hidden"), "type"), erase);
    instance.delete("/subjects/:id", taking(asksOfPerson("own", "hidden"), "tenant", "type"), erase);

    const list = "/tenants/:tenant/erasures";
    instance.get(list, taking(asks("read"), ...KEY_PAGE), async (request) => {
      const { tenant } = await findTenant({ tenants }, tenantOf(request));
      const { rows, next } = await keyPageOf(
        request,
        ({ after, count }) => erasures.list(tenant, after ?? "", count),
        ({ subject }) => subject,
      );
      return { erasures: rows, next };
    });
    instance.post(list, asks("own"), async (request) => {
      const { tenant } = await findTenant({ tenants }, tenantOf(request));
      const listed = required("erasures", bodyOf(request, { erasures: entriesOf(tenant) }).erasures);
      return { lacking: await replayed(erasingFor(actorOf(request)), listed) };
    });
  };
}

/** Entries of the list of a tenant, as the list shows them. */
function entriesOf(tenant: string): ReadMember<readonly Erasure[]> {
  return (value) => {
    if (!Array.isArray(value)) throw new TypeError("it must be a list of erasures");
    return value.map((entry: JsonValue, index) => {
      const erasure = erasureOfEntry(entry);
      if (erasure?.tenant === tenant) return erasure;
      throw new TypeError(
        `entry ${index + 1} must be {"tenant": "${tenant}", "subject": …, "key": …, "at": …}, as the list shows it`,
      );
    });
  };
}

async function replayed(erasing: Erasing, listed: readonly Erasure[]): Promise<number> {
  try {
    return await replayErasures(erasing, listed);
  } catch (error) {
    if (error instanceof ErasureKeyMissing)
      throw new ScimError("invalidValue", `${error.message}.`, { cause: error });
    throw error;
  }
}
