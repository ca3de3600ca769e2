/**
 * The kinds of requests of which life cycles are made, each with what all identity providers ask of it.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { Check, Step } from "../scenario.ts";
import { CREATED, LIST, patch } from "./shared-checks.ts";

type Parts = Pick<Step, "method" | "path" | "body" | "accepts" | "checks" | "afterwards" | "gone" | "makes">;

/** Makes something, which later steps know by a name; its other checks stand behind those of every creation. */
export function making(
  makes: string,
  collection: "/Users" | "/Groups",
  { body, checks = [] }: { readonly body: JsonObject; readonly checks?: readonly Check[] },
): Parts {
  return { method: "POST", path: collection, body, accepts: [201], checks: [...CREATED, ...checks], makes };
}

/** Makes what is there already. */
export function makingAgain(body: JsonObject, checks: readonly Check[] = []): Parts {
  return { method: "POST", path: "/Users", body, accepts: [409], checks };
}

/** Reads one resource. */
export function reading(path: string, checks: readonly Check[] = []): Parts {
  return { method: "GET", path, accepts: [200], checks };
}

/** Reads a list. */
export function listing(path: string, checks: readonly Check[] = []): Parts {
  return reading(path, [...LIST, ...checks]);
}

/** Changes a resource by PATCH, and looks at it afterwards. */
export function patching(path: string, operations: readonly JsonObject[], checks: readonly Check[]): Parts {
  return {
    method: "PATCH",
    path,
    body: patch(...operations),
    accepts: [200, 204],
    afterwards: { path, checks },
  };
}

/** Replaces a resource, and looks at it afterwards. */
export function replacing(path: string, body: JsonObject, checks: readonly Check[]): Parts {
  return { method: "PUT", path, body, accepts: [200], afterwards: { path, checks } };
}

/** Deletes a resource for good. */
export function deleting(path: string, accepts: readonly number[] = [204]): Parts {
  return { method: "DELETE", path, accepts, gone: path };
}
