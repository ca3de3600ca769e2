/**
 * A handler with what is known about its resource type, and the way in which it is called.
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { Sources } from "../environment.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { DEFAULT_ID_FORM, type TypeCapabilities } from "../store/capabilities.ts";
import type { StoreScope } from "../store/port.ts";
import { withinTime } from "../time-limit.ts";
import type { HandlerContext, ResourceHandler } from "./resource-handler.ts";

/** A resource type that a handler keeps. */
export interface HandlerType {
  readonly handler: ResourceHandler;
  readonly model: ResourceModel;
  readonly sources: Pick<Sources, "digest">;
  /** Most milliseconds of one call. */
  readonly timeout: number;
}

/** What a store can do with the resources of a handler. */
export function handlerCapabilities({ comparesVersions, previews, ids }: ResourceHandler): TypeCapabilities {
  return {
    versions: comparesVersions,
    preview: previews === true,
    statements: false,
    staging: false,
    secrets: false,
    imports: false,
    pagesReferences: false,
    ids: ids ?? DEFAULT_ID_FORM,
  };
}

/** Whether a text can be the id of a resource: no other is shown to a handler, whose database might choke on it. */
export function isId({ handler }: HandlerType, id: string): boolean {
  return (handler.ids ?? DEFAULT_ID_FORM).pattern.test(id);
}

/**
 * Calls a handler.
 * @throws what the handler throws; ScimError `unavailable` where it takes too long; the reason of the scope's signal
 */
export function callHandler<Result>(
  { model, timeout }: HandlerType,
  { tenant, connection, signal }: StoreScope,
  call: (context: HandlerContext) => Promise<Result> | Result,
): Promise<Result> {
  const late = (): ScimError =>
    new ScimError("unavailable", `The database of ${model.name} takes too long to answer: try again.`, {
      headers: { "retry-after": "1" },
    });
  return withinTime({ milliseconds: timeout, signal, late }, (ended) =>
    call({ tenant, connection, signal: ended }),
  );
}
