import { replayEvents } from "@scim/core/testing";
import type { ReadSelection, RequestContext, OperatorService } from "@scim/core";
import { patches, register, resources, shapeOf, worlds, type World } from "@scim/fixtures/arbitraries";
import { createDefaultRegistry, ScimError, type JsonObject } from "@scim/schemas";
import fc from "fast-check";
import { expect, test } from "vitest";
import { open } from "../support/folders.ts";
import { CALLER, PLAIN, serviceOver } from "../support/services.ts";

/** Changes of each world. */
const CHANGES = 12;

type Kind = "create" | "replace" | "patch" | "delete" | "restore";
const KINDS: fc.Arbitrary<Kind> = fc.constantFrom(
  "create",
  "replace",
  "patch",
  "patch",
  "delete",
  "delete",
  "restore",
  "restore",
);
const RESTORED = { since: "", precondition: { ifMatch: "*", ifNoneMatch: null } } as const;

const HOLDINGS: ReadSelection = { collections: ["things"], inverses: [] };

function registryOf(world: World): ReturnType<typeof createDefaultRegistry> {
  const registry = createDefaultRegistry();
  register(world, registry);
  return registry;
}

/** Makes one change; the service refuses some. Answers the id. */
async function change(
  service: OperatorService,
  context: RequestContext,
  { kind, type, id, body, operations }: Change,
): Promise<string | null> {
  const patch = { schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"], Operations: operations };
  try {
    if (kind === "create") {
      const { resource } = await service.create(context, { ...PLAIN, type, body });
      return String(resource["id"]);
    }
    if (kind === "replace") await service.replace(context, { ...PLAIN, type, id, body });
    if (kind === "patch") await service.patch(context, { ...PLAIN, type, id, body: patch });
    if (kind === "delete") await service.delete(context, { ...PLAIN, type, id });
    if (kind === "restore") await service.restore(context, { type, id, ...RESTORED });
    return id;
  } catch (error) {
    if (error instanceof ScimError) return null;
    throw error;
  }
}

interface Change {
  readonly kind: Kind;
  readonly type: string;
  readonly id: string;
  readonly body: JsonObject;
  readonly operations: readonly JsonObject[];
}

test("the events of a tenant, applied in order to nothing, lead to every resource that is stored, and to no other", async () => {
  const store = await open(":memory:");
  const done = { create: 0, replace: 0, patch: 0, delete: 0, restore: 0, holdings: 0 };
  let tenants = 0;
  await fc.assert(
    fc.asyncProperty(worlds({ hidden: true, defaults: true }), fc.gen(), async (world, draw) => {
      tenants += 1;
      const context = { ...CALLER, tenant: `events-${tenants}` };
      const registry = registryOf(world);
      const service = serviceOver(store.resources, { registry, idDigits: 1 });
      const made: Pick<Change, "type" | "id">[] = [];
      for (let turn = 0; turn < CHANGES; turn += 1) {
        const fresh = { type: draw(() => fc.constantFrom("Thing", "Holder")), id: "" };
        const known = draw(() => fc.constantFrom(...made, fresh));
        const kind = known.id === "" ? "create" : draw(() => KINDS);
        const { type, id } = kind === "create" ? fresh : known;
        const shape = shapeOf(registry, type);
        const body = draw(resources, shape);
        const operations = draw(patches, shape);
        const changed = await change(service, context, { kind, type, id, body, operations });
        if (changed === null) continue;
        done[kind] += 1;
        if (kind === "create") made.push({ type, id: changed });
      }
      while ((await store.events.assign(5)) > 0);

      const events = await store.events.read(context.tenant, { after: 0, limit: 1000 });
      expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1));
      const replayed = replayEvents(events);
      for (const type of ["Thing", "Holder"]) {
        const ids = Array.from({ length: CHANGES }, (_, index) => `id-${index + 1}`);
        const select = type === "Holder" ? HOLDINGS : { collections: [], inverses: [] };
        const stored = await store.resources.readMany(context, { type, ids }, select);
        const told = ids.flatMap((id) => replayed.get(`${type}/${id}`) ?? []);
        expect(told.map(({ id, version, body }) => ({ id, version, body }))).toEqual(
          stored.map(({ id, version, body }) => ({ id, version, body })),
        );
        const things = stored.map(({ collections }) =>
          (collections.get("things") ?? []).map(({ value }) => value),
        );
        expect(
          type === "Holder" ? told.map(({ collections }) => collections.get("things") ?? []) : things,
        ).toEqual(things);
        done.holdings += things.flat().length;
      }
    }),
    { numRuns: 60 },
  );
  // Nothing that can happen was left out.
  expect(Math.min(...Object.values(done))).toBeGreaterThan(20);
});
