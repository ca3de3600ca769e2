/**
 * A store that holds something of everything, and what it answers of it.
 * @module
 */
import { createScimService, type OperatorService, type RequestContext } from "@scim/core";
import {
  createDefaultRegistry,
  GROUP_URN,
  type SchemaRegistry,
  USER_URN,
  type JsonObject,
} from "@scim/schemas";
import type { Store } from "../../src/store.ts";
import { CALLER } from "../support/services.ts";

const NONE = { attributes: null, excludedAttributes: null };

let made = 0;

/** A service over a store, of the built-in types or of others. */
export function operatorOver(
  store: Store,
  registry: SchemaRegistry = createDefaultRegistry(),
): OperatorService {
  return createScimService({
    registry,
    store: store.resources,
    sources: {
      now: () => Date.now(),
      newId: () => `id-${String((made += 1)).padStart(6, "0")}`,
      newNonce: () => `n${String((made += 1))}`,
      digest: (text) => text,
    },
  });
}

/** A user with all kinds of values. */
export function userOf(name: string): JsonObject {
  return {
    schemas: [USER_URN],
    userName: name,
    externalId: `external ${name}`,
    displayName: `Ü ${name} \u{1F600}`,
    emails: [
      { value: `${name}@example.com`, type: "work", primary: true },
      { value: `${name}@home.example` },
    ],
    active: true,
  };
}

/** Fills a store: users, one of them deleted and one with a long name; groups of several sizes; a changed user. */
export async function fill(store: Store, context: RequestContext = CALLER): Promise<void> {
  const service = operatorOver(store);
  const ids: string[] = [];
  for (const name of ["anna", "bo", "carla", "x".repeat(1500)]) {
    const { resource } = await service.create(context, { type: "User", body: userOf(name), ...NONE });
    ids.push(String(resource["id"]));
  }
  const members = Array.from({ length: 700 }, (_, index) => ({ value: `m${index}`, type: "User" }));
  for (const [displayName, values] of [
    ["empty", []],
    ["few", ids.map((value) => ({ value }))],
    ["many", members],
  ] as const)
    await service.create(context, {
      type: "Group",
      body: { schemas: [GROUP_URN], displayName, members: values },
      ...NONE,
    });
  const precondition = { ifMatch: null, ifNoneMatch: null };
  await service.delete(context, { type: "User", id: ids[1] ?? "", precondition });
  await service.replace(context, {
    type: "User",
    id: ids[2] ?? "",
    body: { ...userOf("carla"), title: "Dr" },
    precondition,
    ...NONE,
  });
}

/** Everything that an export of a tenant holds. */
export async function exported(store: Store, context: RequestContext = CALLER): Promise<string> {
  const service = operatorOver(store);
  const lines: string[] = [];
  for (const type of ["User", "Group"]) {
    for await (const { resource, collections } of service.exportResources(context, type)) {
      const values: unknown[] = [];
      for (const { batches } of collections) for await (const batch of batches) values.push(...batch);
      lines.push(JSON.stringify([resource, values]));
    }
  }
  return lines.join("\n");
}
