/**
 * A handler with some calls replaced, and all others as they are.
 * @module
 */
import type { ResourceHandler } from "../../handlers/resource-handler.ts";
import { openSubject, type OpenSubject } from "./subject.ts";

/** A handler of which some calls are answered otherwise. What is left is called on the handler itself, which may be a class. */
export function interposed(handler: ResourceHandler, calls: Partial<ResourceHandler>): ResourceHandler {
  return new Proxy(handler, {
    get: (target, name): unknown => {
      if (Object.hasOwn(calls, name)) return Reflect.get(calls, name);
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}

/** A service of its own over the same table. */
export async function another(
  { handler, subject }: OpenSubject,
  calls: Partial<ResourceHandler> = {},
): Promise<OpenSubject> {
  const open = (): ResourceHandler => interposed(handler, calls);
  return openSubject({ ...subject, open });
}
