/**
 * Another service over the table of a handler.
 * @module
 */
import type { HandledResource, ResourceHandler } from "../../handlers/resource-handler.ts";
import { expectEqual } from "../contract/expect.ts";
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

/** Holds what a method of a handler answered to what `get` answers: attributes, version and dates. */
export async function readAlike(
  opened: OpenSubject,
  answered: readonly HandledResource[],
  from: string,
): Promise<void> {
  const byId = new Map(answered.map((each) => [each.id, each]));
  const { client } = await another(opened, { get: (_, id) => byId.get(id) ?? null });
  for (const id of byId.keys())
    expectEqual(await client.read(id), await opened.client.read(id), `a resource ${from} beside 'get'`);
}
