/**
 * What handlers with planted bugs are made of and tried out on.
 * @module
 */
import { createDefaultRegistry, type JsonObject } from "@scim/schemas";
import type { HandledResource, HandlerContext, ResourceHandler } from "../../src/index.ts";
import { HANDLER_CONTRACT, type HandlerFinding, type HandlerSubject } from "../../src/testing/index.ts";
import { testSources } from "./sources.ts";

export const USERS: Omit<HandlerSubject, "open"> = {
  type: "User",
  registry: createDefaultRegistry(),
  sample: (n) => ({
    userName: `User${String(n)}`,
    title: n % 2 === 0 ? "Guide" : "guide",
    active: n % 3 === 0,
  }),
  changed: (n) => ({ userName: `User${String(n)}`, active: false }),
  sources: testSources(),
};

export const GROUPS: Omit<HandlerSubject, "open"> = {
  ...USERS,
  type: "Group",
  sample: (n) => ({ displayName: `Group ${String(n)}` }),
  changed: (n) => ({ displayName: `Group ${String(n)}`, externalId: "x" }),
};

export const EVERYTHING = { filter: null, sort: null, page: null } as const;

export async function all(
  handler: ResourceHandler,
  context: HandlerContext,
): Promise<readonly HandledResource[]> {
  const { resources } = await handler.list(context, EVERYTHING);
  return [...(resources as Iterable<HandledResource>)];
}

/** Deletes what there is, as a transaction that is taken back with the writes of others in it. */
export async function takeBack(handler: ResourceHandler, context: HandlerContext): Promise<void> {
  const versionOf = ({ version = "" }: HandledResource): string => version;
  for (const each of await all(handler, context)) {
    const { id } = each;
    await handler.delete(context, { id, expectedVersion: versionOf(each), versionOf, at: "", dryRun: false });
  }
}

export const foreign = (context: HandlerContext): HandlerContext => ({ ...context, tenant: "south" });
export const northern = (context: HandlerContext): HandlerContext => ({ ...context, tenant: "north" });

export function ascii(attributes: JsonObject): string {
  return String(attributes["userName"]).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** A bug: the rule that finds it out, what the handler does, and how it comes into one that does right. */
export type Planted = readonly (readonly [string, string, (whole: ResourceHandler) => ResourceHandler])[];

export const ruleOf = (rule: string): typeof HANDLER_CONTRACT =>
  HANDLER_CONTRACT.filter((each) => each.rule === rule);
export const outcomes = (findings: readonly HandlerFinding[]): readonly string[] =>
  findings.map(({ rule, outcome }) => `${outcome} ${rule}`);
