/**
 * The same service twice: over a database, and over the reference store in memory, with the same generated resources.
 * @module
 */
import type { ListAnswer, RequestContext, ResourceStore, ScimService } from "@scim/core";
import { createMemoryStore } from "@scim/core/testing";
import { register, resources, shapeOf, type TypeShape, type World } from "@scim/fixtures/arbitraries";
import type fc from "fast-check";
import { createDefaultRegistry, ScimError, type JsonObject } from "@scim/schemas";
import { declareWanted } from "../support/declared.ts";
import { CALLER, list, PLAIN, serviceOver, type Query } from "../support/services.ts";

/** A service, and requests on behalf of one tenant. */
export interface TriedService {
  create(type: string, body: JsonObject): Promise<string>;
  remove(id: string): Promise<void>;
  list(query: Query): Promise<ListAnswer>;
}

/** Both services, and the resource type that is generated. */
export interface TwoServices {
  readonly thing: TypeShape;
  readonly sql: TriedService;
  readonly memory: TriedService;
  /** Declares the indexes that the schemas of the world want. */
  readonly declare: () => Promise<void>;
}

let tenants = 0;

/** Puts both services of a world together; `store` is the one in SQL, in which each world has a tenant of its own. */
export function twoServices(world: World, store: ResourceStore): TwoServices {
  const registry = createDefaultRegistry();
  register(world, registry);
  tenants += 1;
  const context = { ...CALLER, tenant: `tenant-${String(tenants)}` };
  const declare = (): Promise<void> => declareWanted(store, registry, context.tenant);
  // Generated references name the first ids.
  const tried = (resourceStore: ResourceStore): TriedService =>
    triedService(serviceOver(resourceStore, { registry, idDigits: 1 }), context);
  return {
    thing: shapeOf(registry, "Thing"),
    sql: tried(store),
    memory: tried(createMemoryStore()),
    declare,
  };
}

function triedService(service: ScimService, context: RequestContext): TriedService {
  return {
    create: async (type, body) => {
      try {
        const { resource } = await service.create(context, { ...PLAIN, type, body });
        return String(resource["id"]);
      } catch (error) {
        if (error instanceof ScimError) return error.code;
        throw error;
      }
    },
    remove: (id) => service.delete(context, { ...PLAIN, type: "Thing", id }),
    list: (query) => list(service, "Thing", query, context),
  };
}

/** Draws a value: `fc.gen()`. */
export type Draw = <Arguments extends unknown[], Value>(
  arbitrary: (...parameters: Arguments) => fc.Arbitrary<Value>,
  ...parameters: Arguments
) => Value;

const HOLDER_URN = "urn:example:params:scim:schemas:core:2.0:Holder";

/** Fills both services alike: some resources, and two that refer to some of them. What clashes clashes in both. */
export async function fill(services: TwoServices, count: number, draw: Draw): Promise<void> {
  const { sql, memory, thing } = services;
  await services.declare();
  const bodies = Array.from({ length: count }, () => draw(resources, thing));
  const requests: (readonly [string, JsonObject])[] = [
    ...bodies.map((body) => ["Thing", body] as const),
    ["Holder", { schemas: [HOLDER_URN], displayName: "a", things: [{ value: "id-1" }, { value: "id-2" }] }],
    ["Holder", { schemas: [HOLDER_URN], things: [{ value: "id-2", type: "Thing" }] }],
  ];
  for (const [type, body] of requests) {
    const [made, wanted] = [await sql.create(type, body), await memory.create(type, body)];
    if (made !== wanted) throw new Error(`The database answers ${made}, and the reference store ${wanted}.`);
  }
}
