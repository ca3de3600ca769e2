/**
 * `/admin/v1/tenants/{tenant}/deleted`: the deleted resources of a tenant, what restoring one would bring back, and its
 * restoration.
 * @module
 */
import { entityTag, parseEntityTags, type ReturningSide } from "@scim/core";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { readDeletedFilter } from "../administration/deleted-filter.ts";
import {
  deletedKey,
  membershipKey,
  type NamedResource,
  restorationsHere,
  type Restorations,
  type RestoringParts,
} from "../administration/restoring.ts";
import { actorOf, pathName } from "./acting.ts";
import { bodyOf } from "./body.ts";
import { KEY_PAGE, keyPageOf } from "./key-page.ts";
import { parameterOf, taking, tenantOf } from "./parameters.ts";
import { asks, asksOfPerson } from "./rights.ts";

const ALL = "/tenants/:tenant/deleted";
const ONE = `${ALL}/:type/:id`;
const SIDES: readonly ReturningSide[] = ["memberOf", "members"];

/** The routes of deleted resources. A restoration is told in the audit log of the tenant, and at both ends in the trail. */
export function deletedRoutes(parts: RestoringParts): FastifyPluginAsync {
  const restorations = (request: FastifyRequest): Promise<Restorations> =>
    restorationsHere(parts, tenantOf(request), actorOf(request));
  return async (instance) => {
    instance.get(ALL, taking(asks("read"), "type", "since", "before", ...KEY_PAGE), async (request) => {
      const deleted = await restorations(request);
      const filter = readDeletedFilter({
        type: parameterOf(request, "type"),
        since: parameterOf(request, "since"),
        before: parameterOf(request, "before"),
      });
      const { rows, next } = await keyPageOf(request, (page) => deleted.list(page, filter), deletedKey);
      return { deleted: rows, next };
    });
    instance.get(ONE, asks("read"), async (request, reply) => {
      const preview = await (await restorations(request)).preview(namedBy(request));
      reply.header("etag", entityTag(preview.resource.version));
      return preview;
    });
    for (const side of SIDES) {
      instance.get(`${ONE}/${side}`, taking(asks("read"), ...KEY_PAGE), async (request) => {
        const deleted = await restorations(request);
        const named = namedBy(request);
        const { rows, next } = await keyPageOf(
          request,
          (page) => deleted.memberships(named, side, page),
          membershipKey,
        );
        return { [side]: rows, next };
      });
    }
    instance.post(`${ONE}/restore`, asksOfPerson("change", "id"), async (request, reply) => {
      bodyOf(request, {});
      const given = request.headers["if-match"];
      const ifMatch = given === undefined ? null : parseEntityTags("If-Match", given);
      const restored = await (await restorations(request)).restore(namedBy(request), ifMatch);
      reply.header("etag", entityTag(restored.version));
      return restored;
    });
  };
}

function namedBy(request: FastifyRequest): NamedResource {
  return { type: pathName(request, "type"), id: pathName(request, "id") };
}
