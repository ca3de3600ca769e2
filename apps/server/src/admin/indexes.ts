/**
 * `/admin/v1/tenants/{tenant}/indexes`: the attributes of a tenant's resources that have an index; declared and dropped.
 * @module
 */
import { findTenant } from "@scim/tenancy";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { type IndexAdministration, indexesHere, indexKey } from "../administration/indexes.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { actorOf, pathName } from "./acting.ts";
import { bodyOf, required, text } from "./body.ts";
import { KEY_PAGE, keyPageOf, ofList } from "./key-page.ts";
import { parameterOf, taking, tenantOf } from "./parameters.ts";
import { asks, asksAndTells } from "./rights.ts";

const NEW = { type: text, path: text };

/** The routes of indexes. Building one is work for all tenants: it asks for who looks after them all. */
export function indexRoutes({ store, rules }: OpenedStore): FastifyPluginAsync {
  const { tenants, indexes } = store;
  const indexesFor = async (request: FastifyRequest): Promise<IndexAdministration> => {
    const { tenant } = await findTenant({ tenants }, tenantOf(request));
    const catalog = await rules.catalogOf(tenant);
    return indexesHere({ indexes, tenant, catalog, actor: actorOf(request) });
  };
  const all = "/tenants/:tenant/indexes";
  return async (instance) => {
    instance.get(all, taking(asks("read"), "type", ...KEY_PAGE), async (request) => {
      const found = await (await indexesFor(request)).list(parameterOf(request, "type") ?? undefined);
      const { rows, next } = await keyPageOf(request, ofList(found, indexKey), indexKey);
      return { indexes: rows, next };
    });
    instance.post(all, asksAndTells("operate"), async (request, reply) => {
      const { type, path } = bodyOf(request, NEW);
      const asked = [required("type", type), required("path", path)] as const;
      const made = await (await indexesFor(request)).add(...asked);
      return reply.code(made["added"] === true ? 201 : 200).send(made);
    });
    instance.delete(`${all}/:type/:path`, asksAndTells("operate"), async (request) =>
      (await indexesFor(request)).drop(pathName(request, "type"), pathName(request, "path")),
    );
  };
}
