/**
 * Schemas, resource types and capabilities as resources (RFC 7644 §4), with versions so that 304 works.
 * @module
 */
import {
  ScimError,
  toResourceTypeResource,
  toSchemaResource,
  type JsonObject,
  type ResourceTypeDefinition,
} from "@scim/schemas";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { ListAnswer, NotModifiedAnswer, ResourceAnswer } from "../answers.ts";
import type { ConfigRequest } from "../requests.ts";
import type { Precondition } from "../versioning/precondition.ts";
import { entityTag, isCurrent } from "../versioning/version.ts";
import { serviceProviderConfig } from "./service-provider-config.ts";

/** The kinds of discovery resources, and where each kind is served. */
const ENDPOINTS = {
  ServiceProviderConfig: "/ServiceProviderConfig",
  Schema: "/Schemas",
  ResourceType: "/ResourceTypes",
} as const;

type DiscoveryKind = keyof typeof ENDPOINTS;
type DiscoveryAnswer = ResourceAnswer | NotModifiedAnswer;

/** Answers discovery requests from the live registry. */
export interface Discovery {
  serviceProviderConfig(context: RequestContext, request: ConfigRequest): Promise<DiscoveryAnswer>;
  schemas(context: RequestContext): ListAnswer;
  schema(context: RequestContext, urn: string, precondition: Precondition): DiscoveryAnswer;
  resourceTypes(context: RequestContext): ListAnswer;
  resourceType(context: RequestContext, name: string, precondition: Precondition): DiscoveryAnswer;
}

/** An id as a part of an address, where a colon may stand (RFC 3986 §3.3): so a URN is told as it is, and an address is encoded. */
function segmentOf(id: string): string {
  return encodeURIComponent(id).replaceAll("%3A", ":");
}

/** Makes the discovery of a service. */
export function createDiscovery(environment: Environment): Discovery {
  const { registry, sources } = environment;
  const answerOf = (context: RequestContext, kind: DiscoveryKind, content: JsonObject): ResourceAnswer => {
    const version = sources.digest(JSON.stringify(content));
    const id = content["id"];
    const location = `${context.baseUrl}${ENDPOINTS[kind]}${typeof id === "string" ? `/${segmentOf(id)}` : ""}`;
    const meta = { resourceType: kind, location, version: entityTag(version) };
    return { kind: "resource", resource: { ...content, meta }, version, location };
  };
  const conditional = (answer: ResourceAnswer, precondition: Precondition): DiscoveryAnswer =>
    isCurrent(precondition, answer.version)
      ? { kind: "notModified", version: answer.version, location: answer.location }
      : answer;
  return {
    serviceProviderConfig: async (context, request) => {
      const content = await serviceProviderConfig(environment, context, request.attributes ?? []);
      return conditional(answerOf(context, "ServiceProviderConfig", content), request);
    },
    schemas: (context) =>
      listOf(registry.schemas().map((schema) => answerOf(context, "Schema", toSchemaResource(schema)))),
    schema: (context, urn, precondition) => {
      const schema = registry.schema(urn);
      if (schema === undefined)
        throw new ScimError("notFound", "There is no schema of this URN; /Schemas lists them all.");
      return conditional(answerOf(context, "Schema", toSchemaResource(schema)), precondition);
    },
    resourceTypes: (context) =>
      listOf(
        registry
          .resourceTypes()
          .map((type) => answerOf(context, "ResourceType", resourceTypeContent(context, type))),
      ),
    resourceType: (context, name, precondition) => {
      const type = registry.resourceType(name);
      if (type === undefined) {
        throw new ScimError(
          "notFound",
          "There is no resource type of this name; /ResourceTypes lists them all.",
        );
      }
      return conditional(answerOf(context, "ResourceType", resourceTypeContent(context, type)), precondition);
    },
  };
}

function resourceTypeContent({ profile }: RequestContext, type: ResourceTypeDefinition): JsonObject {
  const { operations, ...plain } = toResourceTypeResource(type);
  return operations === undefined || profile.switches.has("plain-answers") ? plain : { ...plain, operations };
}

function listOf(answers: readonly ResourceAnswer[]): ListAnswer {
  return {
    kind: "list",
    totalResults: answers.length,
    startIndex: 1,
    resources: answers.map(({ resource }) => resource),
    nextCursor: null,
    previousCursor: null,
    filterPlan: null,
  };
}
