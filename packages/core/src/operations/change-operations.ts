/**
 * The operations that change something, for whoever does one of them without caring which.
 * @module
 */
import { tellingOnce, type RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { NoContentAnswer, ResourceAnswer } from "../answers.ts";
import type { ChangeRequest } from "../requests.ts";
import type { ScimService } from "../service.ts";
import { createResource } from "./create.ts";
import { deleteResource } from "./delete.ts";
import { patchResource } from "./patch.ts";
import { replaceResource } from "./replace.ts";

/** The operations that change something. */
export type ChangeOperations = Pick<ScimService, "create" | "replace" | "patch" | "delete">;

/** The operations that change something in an environment. */
export function changeOperations(environment: Environment): ChangeOperations {
  return {
    create: (context, request) => createResource(environment, tellingOnce(context), request),
    replace: (context, request) => replaceResource(environment, tellingOnce(context), request),
    patch: (context, request) => patchResource(environment, tellingOnce(context), request),
    delete: (context, request) => deleteResource(environment, context, request),
  };
}

/** What a change came to. */
export interface Performed {
  /** HTTP status. */
  readonly status: number;
  /** Null for what is deleted. */
  readonly answer: ResourceAnswer | NoContentAnswer | null;
}

/** Makes a change. */
export async function performChange(
  operations: ChangeOperations,
  context: RequestContext,
  change: ChangeRequest,
): Promise<Performed> {
  switch (change.operation) {
    case "create":
      return { status: 201, answer: await operations.create(context, change.request) };
    case "replace":
      return { status: 200, answer: await operations.replace(context, change.request) };
    case "patch": {
      const answer = await operations.patch(context, change.request);
      return { status: answer.kind === "resource" ? 200 : 204, answer };
    }
    case "delete":
      await operations.delete(context, change.request);
      return { status: 204, answer: null };
  }
}
