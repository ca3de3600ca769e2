/**
 * What the methods of a resource type are made of.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { Discovery } from "../discovery/discovery.ts";
import { InvalidAnswerError } from "../errors/answer-error.ts";
import type { Answer } from "../exchange/answer.ts";
import type { Engine } from "../exchange/engine.ts";
import type { ResourceCache } from "../versions/resource-cache.ts";
import type { VersionMemory } from "../versions/version-memory.ts";
import type { WriteBody } from "./request-body.ts";
import type { ClientResourceType } from "./resource-type.ts";
import type { DynamicResource } from "./shape.ts";

/** What the methods of one resource type share. */
export interface ResourceParts {
  readonly engine: Engine;
  readonly discovery: Discovery;
  readonly type: ClientResourceType;
  readonly memory: VersionMemory;
  /** Null where nothing is cached. */
  readonly cache: ResourceCache | null;
  readonly writeBody: WriteBody;
}

/** The path of a resource. */
export function pathOf({ type }: Pick<ResourceParts, "type">, id: string): string {
  return `${type.endpoint}/${encodeURIComponent(id)}`;
}

/**
 * The resource of an answer, its version remembered.
 * @throws {@link InvalidAnswerError} `invalidMessage` where there is none, `wrongResource` where it is another
 */
export function resourceOf(
  { memory }: Pick<ResourceParts, "memory">,
  answer: Answer,
  wanted: string | null,
): DynamicResource {
  const resource = checkedResource(answer.body, answer);
  if (wanted !== null && resource.id !== wanted) {
    const { request, status } = answer;
    throw new InvalidAnswerError("wrongResource", "the answer holds another resource", { request, status });
  }
  memory.remember(resource, answer.headers["etag"]);
  return resource;
}

/**
 * The resource; a number that some services have for an id is its text.
 * @throws {@link InvalidAnswerError} `invalidMessage` where it has no id
 */
export function checkedResource(
  value: JsonObject | null,
  { request, status }: Pick<Answer, "request" | "status">,
): DynamicResource {
  const id = idIn(value);
  if (value !== null && id !== null) {
    // Its id is text, or made so.
    return (value["id"] === id ? value : { ...value, id }) as DynamicResource;
  }
  throw new InvalidAnswerError("invalidMessage", "the answer holds no resource with an 'id'", {
    request,
    status,
  });
}

/** Whether the body of an answer is a resource: a service may answer a change with something else. */
export function isResource(value: JsonObject | null): boolean {
  return idIn(value) !== null;
}

/** A number beyond what a double tells apart may be another by now. */
function idIn(value: JsonObject | null): string | null {
  const id = value?.["id"];
  if (typeof id === "number") return Number.isSafeInteger(id) ? String(id) : null;
  return typeof id === "string" && id !== "" ? id : null;
}
