/**
 * Another service over the table of a handler.
 * @module
 */
import type { ResourceHandler } from "../../handlers/resource-handler.ts";
import { interposed } from "../interposed.ts";
import { openSubject, type OpenSubject } from "./subject.ts";

/** A service of its own over the same table, of which some calls are answered otherwise. */
export async function another(
  { handler, subject }: OpenSubject,
  calls: Partial<ResourceHandler> = {},
): Promise<OpenSubject> {
  const open = (): ResourceHandler => interposed(handler, calls);
  return openSubject({ ...subject, open });
}
