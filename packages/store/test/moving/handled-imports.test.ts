/**
 * Imports of resources of which some types are kept by a handler, and the others by a store beside it.
 */
import {
  createHandlerStore,
  ImportRun,
  PROFILES,
  SeenKeys,
  type ImportOutcome,
  type NewImports,
  type OperatorService,
  type RequestContext,
  type ResourceStore,
} from "@scim/core";
import { createMemoryHandler } from "@scim/core/testing";
import { createDefaultRegistry, GROUP_URN, type JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { openPostgres } from "../support/engines.ts";
import { newFile, open } from "../support/folders.ts";
import { CALLER } from "../support/services.ts";
import { operatorOver, userOf } from "./filled.ts";

const REGISTRY = createDefaultRegistry();
/** Whose groups have names of their own. */
const TOLERANT: RequestContext = { ...CALLER, profile: PROFILES.tolerant };
const RULES = { keepIds: false, mode: "upsert" } as const;

/** The resources of a type by a handler, all others by the store. */
function besideHandled(type: string, store: ResourceStore): ResourceStore {
  return createHandlerStore({
    registry: REGISTRY,
    sources: { digest: (text) => Buffer.from(text).toString("base64url") },
    handlers: { [type]: createMemoryHandler() },
    store,
  });
}

const groupOf = (displayName: string, ...members: readonly string[]): JsonObject => ({
  schemas: [GROUP_URN],
  displayName,
  members: members.map((value) => ({ value })),
});

async function imported(
  service: OperatorService,
  bodies: readonly JsonObject[],
  run: string | null,
): Promise<readonly ImportOutcome[]> {
  const items = bodies.map((body, index) => ({
    record: index + 1,
    type: "userName" in body ? "User" : "Group",
    body,
  }));
  const prepared = await service.prepareImport(TOLERANT, { items, seen: new SeenKeys(), ...RULES });
  const progress = run === null ? null : new ImportRun(run, 0);
  return prepared.apply({ run: progress, onRejected: async () => undefined });
}

const kinds = (outcomes: readonly ImportOutcome[]): readonly string[] => outcomes.map(({ kind }) => kind);

describe.each([
  ["SQLite", () => open(newFile())],
  ["PostgreSQL", () => openPostgres()],
])("an import into a handler and %s", (_, openStore) => {
  test("stores how far a run is, whoever keeps the resources", async () => {
    const store = await openStore();
    const service = operatorOver({ ...store, resources: besideHandled("User", store.resources) }, REGISTRY);
    const bodies = [userOf("anna"), groupOf("Sales", "x"), userOf("ben"), groupOf("Crew"), userOf("ANNA")];
    expect(kinds(await imported(service, bodies, "r"))).toEqual([
      "created",
      "created",
      "created",
      "created",
      "rejected",
    ]);
    expect(await service.importProgress(TOLERANT, "r")).toMatchObject({ created: 4, replaced: 0 });
    expect(await service.importsBegun(TOLERANT, "")).toBe(1);
    const again = [userOf("anna"), { ...userOf("ben"), title: "Dr" }, groupOf("Sales", "x")];
    expect(kinds(await imported(service, again, "s"))).toEqual(["unchanged", "replaced", "unchanged"]);
    expect(await service.importProgress(TOLERANT, "s")).toEqual({
      position: 3,
      created: 0,
      replaced: 1,
      unchanged: 2,
    });
    await service.forgetImport(TOLERANT, "s");
    expect(await service.importProgress(TOLERANT, "s")).toBeNull();
  });

  test("gathers what is new for the store, and nothing that the handler keeps", async () => {
    const store = await openStore();
    const gathering = (handled: string): NewImports | null =>
      operatorOver({ ...store, resources: besideHandled(handled, store.resources) }, REGISTRY).importNew(
        TOLERANT,
        { seen: new SeenKeys(), ...RULES },
      );
    const anna = [{ record: 1, type: "User", body: userOf("anna") }];
    expect(gathering("User")?.add(anna, 1)).toBeNull();
    const begun = gathering("Group");
    expect(begun?.add(anna, 1)).toMatchObject([{ outcome: { kind: "created" }, range: 0 }]);
    expect(await begun?.write(0, new ImportRun("r", 0))).toBe(true);
    expect(await operatorOver(store, REGISTRY).importProgress(TOLERANT, "r")).toMatchObject({ created: 1 });
  });

  test("begins rules of connections where the store holds them", async () => {
    const { resources } = await openStore();
    const { rules } = besideHandled("User", resources);
    const rule = { tenant: "north", connection: "first", type: "Group", path: "displayName", scope: "s" };
    await rules?.begin(rule, "token");
    expect(await resources.rules?.state(rule)).toEqual({ token: "token", complete: false });
  });
});
