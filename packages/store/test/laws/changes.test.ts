import {
  createModelCatalog,
  derivedSource,
  type DeletedResource,
  type OperatorService,
  type ProfileName,
  PROFILES,
  type RequestContext,
  type ResourceStore,
  type WritePlan,
  type WriteResult,
} from "@scim/core";
import { createMemoryStore, NOTHING } from "@scim/core/testing";
import { inOtherWords, patches, register, resources, shapeOf, worlds } from "@scim/fixtures/arbitraries";
import {
  createDefaultRegistry,
  PATCH_OP_URN,
  ScimError,
  type JsonObject,
  type SchemaRegistry,
} from "@scim/schemas";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { DerivedFinding, Store } from "../../src/sqlite/index.ts";
import { declareWanted } from "../support/declared.ts";
import { openPostgres } from "../support/engines.ts";
import { newFile, open } from "../support/folders.ts";
import { CALLER, list, PLAIN, serviceOver } from "../support/services.ts";
import type { Draw } from "./two-services.ts";

/** Changes of each world; the first of them create something to change. */
const CHANGES = 16;
const FIRST = 4;

const KINDS = fc.constantFrom(
  "create",
  "replace",
  "patch",
  "patch",
  "delete",
  "delete",
  "read",
  "dry run",
  "bulk",
  "restore",
  "restore",
  "preview of a restoration",
);
/** Whatever is kept can be restored. */
const EVER = { since: "", precondition: { ifMatch: "*", ifNoneMatch: null } } as const;
const TYPES = fc.constantFrom("Thing", "Thing", "Holder");
const PROFILE_NAMES = fc.constantFrom("strict", "strict", "tolerant", "entra", "okta");
const IDS = fc.constantFrom("id-1", "id-2", "id-3", "id-4", "id-5");

interface Change {
  readonly kind: string;
  readonly profile: ProfileName;
  readonly type: string;
  readonly id: string;
  readonly body: JsonObject;
  readonly patch: JsonObject;
}

function drawChange(draw: Draw, registry: SchemaRegistry, turn: number): Change {
  const type = draw(() => TYPES);
  const shape = shapeOf(registry, type);
  return {
    kind: turn < FIRST ? "create" : draw(() => KINDS),
    type,
    profile: draw(() => PROFILE_NAMES),
    id: draw(() => IDS),
    body: draw(inOtherWords, draw(resources, shape), shape),
    patch: { schemas: [PATCH_OP_URN], Operations: draw(patches, shape) },
  };
}

/** Makes a change, and tells all that is answered: versions and instants too, since ids, nonces and clocks are alike. */
async function told(service: OperatorService, caller: RequestContext, change: Change): Promise<unknown> {
  const { kind, profile, type, id, body, patch } = change;
  const context = { ...caller, profile: PROFILES[profile] };
  const existing = { ...PLAIN, type, id };
  const endpoint = `/${type}s`;
  try {
    switch (kind) {
      case "create":
        return await service.create(context, { ...PLAIN, type, body });
      case "replace":
        return await service.replace(context, { ...existing, body });
      case "patch":
        return await service.patch(context, { ...existing, body: patch });
      case "delete":
        return await service.delete(context, existing);
      case "restore":
        return await service.restore(context, { ...(await lastDeleted(service, context, change)), ...EVER });
      case "preview of a restoration": {
        const target = { ...(await lastDeleted(service, context, change)), ...EVER };
        const { resource, refusal, ...returning } = await service.previewRestore(context, target);
        return { resource: withoutWho(resource), refusal: refusal?.message ?? null, returning };
      }
      case "dry run":
        return await service.dryRun(context, { operation: "replace", request: { ...existing, body } });
      case "bulk": {
        const Operations = [
          { method: "POST", path: endpoint, bulkId: "made", data: body },
          { method: "PATCH", path: `${endpoint}/bulkId:made`, data: patch },
          { method: "POST", path: endpoint, bulkId: "again", data: body },
          { method: "DELETE", path: `${endpoint}/${id}` },
        ];
        const schemas = ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"];
        return await service.bulk(context, { body: { schemas, Operations }, authorize: () => undefined });
      }
      default: {
        const answer = await service.read(context, { ...existing, asText: true });
        return answer.kind === "resource" ? { version: answer.version, resource: answer.resource } : answer;
      }
    }
  } catch (error) {
    if (error instanceof ScimError) return { refused: error.code, detail: error.message };
    throw error;
  }
}

/** What was deleted last; else what was drawn, of which nothing is kept. */
async function lastDeleted(
  service: OperatorService,
  context: RequestContext,
  { type, id }: Pick<Change, "type" | "id">,
): Promise<Pick<Change, "type" | "id">> {
  const [last] = await service.listDeleted(context, { since: "", after: null, limit: 1 });
  return last === undefined ? { type, id } : { type: last.type, id: last.id };
}

/** Who deleted it is told by an audit log, which only the server has. */
function withoutWho({ by: _by, ...resource }: DeletedResource): Omit<DeletedResource, "by"> {
  return resource;
}

function isRefusal(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "refused" in answer;
}

async function allOf(service: OperatorService, context: RequestContext): Promise<unknown> {
  const { totalResults } = await list(service, "Thing", { count: 0 }, context);
  const deleted = await service.listDeleted(context, { since: "", after: null, limit: 100 });
  return {
    totalResults,
    everything: await list(service, null, {}, context),
    deleted: deleted.map(withoutWho),
  };
}

/** Where entries of indexes, unique values and counters differ from the resources. */
async function derivedFaults(
  { derived }: Store,
  { tenant }: RequestContext,
  registry: SchemaRegistry,
): Promise<readonly DerivedFinding[]> {
  const found: DerivedFinding[] = [];
  for await (const { findings } of derived.check(tenant, derivedSource(createModelCatalog(registry))))
    found.push(...findings);
  // Who declared indexes for the world before may be late, and declare them for the tenant of this one too.
  return found.filter(({ kind }) => kind !== "unknown");
}

let tenants = 0;

/** A tenant for each world. */
function nextCaller(): RequestContext {
  tenants += 1;
  return { ...CALLER, tenant: `changes-${tenants}` };
}

test.each([
  ["SQLite", () => open(newFile()), 30],
  ["PostgreSQL", () => openPostgres(), 15],
] as const)(
  "any changes over any schema are answered on %s as by the reference store",
  async (_, openStore, numRuns) => {
    const store = await openStore();
    let [refused, restored] = [0, 0];
    await fc.assert(
      fc.asyncProperty(worlds({ hidden: true, defaults: true }), fc.gen(), async (world, draw) => {
        const context = nextCaller();
        const registry = createDefaultRegistry();
        register(world, registry);
        await declareWanted(store.resources, registry, context.tenant);
        const sql = serviceOver(store.resources, { registry, idDigits: 1 });
        const memory = serviceOver(createMemoryStore(), { registry, idDigits: 1 });
        for (let turn = 0; turn < CHANGES; turn += 1) {
          const change = drawChange(draw, registry, turn);
          const wanted = await told(memory, context, change);
          expect(await told(sql, context, change), JSON.stringify(change)).toEqual(wanted);
          if (isRefusal(wanted)) refused += 1;
          else if (change.kind === "restore") restored += 1;
        }
        expect(await allOf(sql, context)).toEqual(await allOf(memory, context));
        expect(await derivedFaults(store, context, registry)).toEqual([]);
      }),
      { numRuns },
    );
    expect(refused).toBeGreaterThan(numRuns);
    expect(restored).toBeGreaterThan(numRuns / 3);
  },
);

interface Recorded {
  readonly plan: WritePlan;
  readonly method: "write" | "preview";
  readonly result: WriteResult;
}

/** A store that notes what is written, and writes some of it again, which is refused. */
function recording(store: ResourceStore, recorded: Recorded[], isRepeated: () => boolean): ResourceStore {
  return {
    ...store,
    write: async (scope, plan) => {
      const result = await store.write(scope, plan);
      recorded.push({ plan, method: "write", result });
      if (isRepeated()) recorded.push({ plan, method: "write", result: await store.write(scope, plan) });
      return result;
    },
    preview: async (scope, plan) => {
      const result = await store.preview(scope, plan);
      recorded.push({ plan, method: "preview", result });
      return result;
    },
  };
}

test("writes that wait together on SQLite come to what they come to one after another, whichever of them fail", async () => {
  const store = await open(newFile());
  const kinds = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(worlds({ hidden: true, defaults: true }), fc.gen(), async (world, draw) => {
      const context = nextCaller();
      const registry = createDefaultRegistry();
      register(world, registry);
      const recorded: Recorded[] = [];
      const memory = createMemoryStore();
      const one = serviceOver(
        recording(memory, recorded, () => draw(() => fc.boolean())),
        { registry, idDigits: 1 },
      );
      for (let turn = 0; turn < CHANGES; turn += 1)
        await told(one, context, drawChange(draw, registry, turn));

      const results = await Promise.all(
        recorded.map(({ plan, method }) => store.resources[method](context, plan)),
      );
      expect(results).toEqual(recorded.map(({ result }) => result));
      for (const { kind } of results) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      const together = serviceOver(store.resources, { registry, idDigits: 1 });
      expect(await allOf(together, context)).toEqual(await allOf(one, context));
      expect(await derivedFaults(store, context, registry)).toEqual([]);
      for (const type of ["Thing", "Holder"]) {
        const ids = recorded.map(({ plan }) => plan.id);
        const stored = await store.resources.readMany(context, { type, ids }, NOTHING);
        expect(stored).toEqual(await memory.readMany(context, { type, ids }, NOTHING));
      }
    }),
    { numRuns: 40 },
  );
  for (const kind of ["written", "conflict", "duplicate", "exists"])
    expect(kinds.get(kind), kind).toBeGreaterThan(5);
});
