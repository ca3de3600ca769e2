/**
 * `/admin/v1/issuers`: the issuers by which administrators sign in.
 * @module
 */
import {
  ADMIN_SUBJECT_CLAIMS,
  type AdminIssuer,
  changeAdminIssuer,
  createAdminIssuer,
  deleteAdminIssuer,
  findAdminIssuer,
} from "@scim/tenancy";
import type { FastifyPluginAsync } from "fastify";
import { shownIssuer } from "../administration/shown-admins.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { pathName, portsOf } from "./acting.ts";
import { bodyOf, groups, oneOf, orNull, required, text, texts } from "./body.ts";
import { KEY_PAGE, keyPageOf, ofList } from "./key-page.ts";
import { taking } from "./parameters.ts";
import { answerRevised, expectedRevision } from "./revision.ts";
import { administratorOfRequest, asks, asksAndTells } from "./rights.ts";

const NEW = {
  issuer: text,
  audience: text,
  jwksUri: text,
  claim: oneOf(ADMIN_SUBJECT_CLAIMS),
  algorithms: texts,
  groups: orNull(groups),
};
const CHANGE = {
  state: oneOf(["active", "suspended"] as const),
  jwksUri: text,
  algorithms: texts,
  groups: orNull(groups),
};

/**
 * The routes of issuers.
 * @param readKeys reads the JSON at an address: where an issuer says its keys are
 */
export function issuerRoutes(
  opened: OpenedStore,
  readKeys: (address: string) => Promise<unknown>,
): FastifyPluginAsync {
  const { admins } = opened.store;
  return async (instance) => {
    instance.get("/issuers", taking(asks("own", "all"), ...KEY_PAGE), async (request) => {
      const byId = ({ id }: AdminIssuer): string => id;
      const { rows, next } = await keyPageOf(request, ofList(await admins.listIssuers(), byId), byId);
      return { issuers: rows.map(shownIssuer), next };
    });

    instance.post("/issuers", asksAndTells("own", "all"), async (request, reply) => {
      const { issuer, audience, ...of } = bodyOf(request, NEW);
      const wanted = {
        ...of,
        issuer: required("issuer", issuer),
        audience: required("audience", audience),
        createdBy: administratorOfRequest(request).name,
      };
      const made = await createAdminIssuer(portsOf(opened, request), wanted, readKeys);
      reply.code(201).header("location", `issuers/${made.id}`);
      return answerRevised(request, reply, { revision: made.revision, body: shownIssuer(made) });
    });

    instance.get("/issuers/:id", asks("own", "all"), async (request, reply) => {
      const found = await findAdminIssuer({ admins }, pathName(request, "id"));
      return answerRevised(request, reply, { revision: found.revision, body: shownIssuer(found) });
    });

    instance.patch("/issuers/:id", asksAndTells("own", "all"), async (request, reply) => {
      const change = bodyOf(request, CHANGE);
      const before = await findAdminIssuer({ admins }, pathName(request, "id"));
      const target = { id: before.id, expected: expectedRevision(request, before) };
      const after = await changeAdminIssuer(portsOf(opened, request), target, change);
      return answerRevised(request, reply, { revision: after.revision, body: shownIssuer(after) });
    });

    instance.delete("/issuers/:id", asksAndTells("own", "all"), async (request, reply) => {
      const before = await findAdminIssuer({ admins }, pathName(request, "id"));
      const target = { id: before.id, expected: expectedRevision(request, before) };
      await deleteAdminIssuer(portsOf(opened, request), target);
      return reply.code(204).send();
    });
  };
}
