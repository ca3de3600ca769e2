/**
 * `/admin/v1/tenants/{tenant}/schemas`: the Schema and ResourceType documents that a tenant has of its own. The entity tag of
 * all of them, and of each, is the revision of the whole: they are checked together.
 * @module
 */
import { identifyDocument, isJsonArray, isJsonObject, ScimError, type JsonValue } from "@scim/schemas";
import {
  type DocumentPorts,
  findDocument,
  requireDocument,
  type OwnDocuments,
  putDocuments,
  readDocuments,
  removeDocument,
  type TenantDocument,
} from "@scim/tenancy";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { documentPorts } from "../administration/ports.ts";
import { shownDocument, shownDocuments } from "../administration/shown.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { actorOf, pathName } from "./acting.ts";
import { KEY_PAGE, keyPageOf, ofList } from "./key-page.ts";
import { taking, tenantOf } from "./parameters.ts";
import { answerRevised, expectedRevision } from "./revision.ts";
import { asks, asksAndTells } from "./rights.ts";

/** The routes of documents. */
export function schemaRoutes(opened: OpenedStore): FastifyPluginAsync {
  return async (instance) => {
    const at = "/tenants/:tenant/schemas";

    instance.get(at, taking(asks("read"), ...KEY_PAGE), async (request, reply) => {
      const { documents, revision } = await readDocuments(portsFor(opened, request), tenantOf(request));
      const { rows, next } = await keyPageOf(request, ofList(documents, nameOf), nameOf);
      const body = { ...shownDocuments({ documents: rows, revision }), next };
      return answerRevised(request, reply, { revision, body });
    });

    instance.post(at, asksAndTells("change"), async (request, reply) => {
      const ports = portsFor(opened, request);
      const target = await targetOf(ports, request);
      const list = documentsIn(request);
      const given = list.map((document, index) => ({ source: `document ${index}`, document }));
      const own = await putDocuments(ports, target, given);
      return answerRevised(request, reply, { revision: own.revision, body: shownDocuments(own) });
    });

    instance.get(`${at}/:name`, asks("read"), async (request, reply) => {
      const own = await readDocuments(portsFor(opened, request), tenantOf(request));
      const found = requireDocument(own.documents, tenantOf(request), pathName(request, "name"));
      return answerRevised(request, reply, { revision: own.revision, body: shownDocument(found) });
    });

    instance.put(`${at}/:name`, asksAndTells("change"), async (request, reply) => {
      const ports = portsFor(opened, request);
      const target = await targetOf(ports, request);
      const name = pathName(request, "name");
      const document = bodyOf(request);
      requireNamed(document, name);
      const own = await putDocuments(ports, target, [{ source: name, document }]);
      const found = findDocument(own.documents, name);
      const body = { ...(found === null ? {} : shownDocument(found)), notices: own.notices };
      return answerRevised(request, reply, { revision: own.revision, body });
    });

    instance.delete(`${at}/:name`, asksAndTells("change"), async (request, reply) => {
      const ports = portsFor(opened, request);
      const target = await targetOf(ports, request);
      const own = await removeDocument(ports, target, pathName(request, "name"));
      return answerRevised(request, reply, { revision: own.revision, body: shownDocuments(own) });
    });
  };
}

function nameOf({ name }: TenantDocument): string {
  return name;
}

function portsFor(opened: OpenedStore, request: FastifyRequest): DocumentPorts {
  return documentPorts(opened, actorOf(request));
}

/** The documents that a change is meant for. */
async function targetOf(
  ports: DocumentPorts,
  request: FastifyRequest,
): Promise<{ readonly tenant: string; readonly expected: number | null }> {
  const tenant = tenantOf(request);
  const own: OwnDocuments = await readDocuments(ports, tenant);
  return { tenant, expected: expectedRevision(request, own) };
}

/** @throws ScimError `invalidValue` */
function requireNamed(document: JsonValue, name: string): void {
  const identity = identifyDocument(document);
  const isNamed =
    identity?.kind === "Schema"
      ? identity.name.toLowerCase() === name.toLowerCase()
      : identity?.name === name;
  if (!isNamed)
    throw new ScimError(
      "invalidValue",
      "The address must name the document: the id of a Schema, the name of a ResourceType.",
    );
}

/** One document, several in a list, or a ListResponse of them. */
function documentsIn(request: FastifyRequest): readonly JsonValue[] {
  const body = bodyOf(request);
  const resources = isJsonObject(body) ? body["Resources"] : undefined;
  const list = resources ?? body;
  return isJsonArray(list) ? list : [list];
}

function bodyOf({ body }: FastifyRequest): JsonValue {
  // What was parsed is JSON, and nothing where there was no body.
  return (body ?? null) as JsonValue;
}
