/**
 * Differences that a service takes: of what is immutable, required, or described by what it refers to.
 * @module
 */
import { createScimClient } from "@scim/client";
import { createInProcessTransport } from "@scim/client/in-process";
import { PROFILES } from "@scim/core";
import { type JsonObject, type PatchOperation } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { BADGE, devicesOf, text } from "./support/devices.ts";
import { aService, TOKEN } from "./support/service.ts";

const reference = { name: "$ref", type: "reference", referenceTypes: ["User", "Group"] } as const;
const fixed = (name: string) => ({ ...text(name), mutability: "immutable" }) as const;
const { type: DEVICE, registry } = devicesOf(
  [
    { ...text("code"), required: true },
    fixed("serial"),
    { name: "box", type: "complex", subAttributes: [text("label"), fixed("maker")] },
    {
      name: "owner",
      type: "complex",
      subAttributes: [{ ...text("value"), caseExact: true }, reference, text("type"), text("display")],
    },
    {
      name: "keys",
      type: "complex",
      multiValued: true,
      subAttributes: [text("value"), text("type"), fixed("issuer"), text("display")],
    },
  ],
  [{ ...text("color"), required: true }, text("floor")],
);

const members = Array.from({ length: 30 }, (_, n) => ({
  value: `m${n + 10}`,
  type: "User",
  display: `P ${n}`,
}));
const keys = (["a", "b", "c"] as const).map((value) => ({ value, type: value, issuer: "x", display: value }));
const owner = { value: "g1", type: "Group", display: "Ops" };

/** What a client writes, what the difference is, and what it comes to where that is not what was written. */
interface Row<Parts> {
  readonly what: string;
  readonly before: Parts;
  readonly after: Parts;
  readonly operations: readonly PatchOperation[];
  readonly stored?: Parts;
}

const DEVICES: readonly Row<JsonObject>[] = [
  {
    what: "a reference to another resource is sent with what describes it",
    before: { owner },
    after: { owner: { ...owner, value: "g2" } },
    operations: [{ op: "replace", path: "owner", value: { ...owner, value: "g2" } }],
  },
  {
    what: "a reference to another resource of which less is told",
    before: { owner },
    after: { owner: { value: "g2", type: "Group" } },
    operations: [
      { op: "remove", path: "owner.display" },
      { op: "replace", path: "owner", value: { value: "g2", type: "Group" } },
    ],
  },
  {
    what: "a reference to the same resource, with another name",
    before: { owner },
    after: { owner: { ...owner, display: "Operations" } },
    operations: [{ op: "replace", path: "owner.display", value: "Operations" }],
  },
  {
    what: "an extension that holds what it requires goes as a whole",
    before: { [BADGE]: { color: "red", floor: "2" } },
    after: {},
    operations: [{ op: "remove", path: BADGE }],
  },
  {
    what: "what is not required goes from an extension by itself",
    before: { [BADGE]: { color: "red", floor: "2" } },
    after: { [BADGE]: { color: "red" } },
    operations: [{ op: "remove", path: `${BADGE}:floor` }],
  },
  {
    what: "R7644-3.5.1-07 an immutable attribute that is left out stays",
    before: { serial: "1" },
    after: {},
    operations: [],
    stored: { serial: "1" },
  },
  {
    what: "R7644-3.5.1-07 an immutable part that is left out stays",
    before: { box: { label: "a", maker: "M" } },
    after: { box: { label: "b" } },
    operations: [{ op: "replace", path: "box.label", value: "b" }],
    stored: { box: { label: "b", maker: "M" } },
  },
  {
    what: "R7644-3.5.1-07 an immutable part of a value that is left out stays with it",
    before: { box: { label: "a", maker: "M" } },
    after: {},
    operations: [{ op: "remove", path: "box.label" }],
    stored: { box: { maker: "M" } },
  },
  {
    what: "R7644-3.5.1-07 an immutable part of a value that is left out stays, and the rest goes",
    before: { keys },
    after: { keys: [...keys.slice(0, 2), { value: "c", type: "c" }] },
    operations: [{ op: "remove", path: 'keys[value eq "c"].display' }],
    stored: { keys: [...keys.slice(0, 2), { value: "c", type: "c", issuer: "x" }] },
  },
  {
    what: "a value with another immutable part goes, and comes anew",
    before: { keys },
    after: { keys: [...keys.slice(0, 2), { ...keys[2], issuer: "y" }] },
    operations: [
      { op: "remove", path: 'keys[value eq "c"]' },
      { op: "add", path: "keys", value: [{ ...keys[2], issuer: "y" }] },
    ],
  },
  {
    what: "a value with another immutable part goes, and comes anew in its place",
    before: { keys: keys.slice(0, 2) },
    after: { keys: [{ ...keys[0], issuer: "y" }, keys[1] ?? {}] },
    operations: [
      { op: "remove", path: 'keys[value eq "a"]' },
      { op: "replace", path: "keys", value: [{ ...keys[0], issuer: "y" }, keys[1] ?? {}] },
    ],
  },
];

interface Members {
  readonly members: readonly { readonly value: string; readonly type?: string; readonly display?: string }[];
}

const GROUPS: readonly Row<Members>[] = [
  {
    what: "R7644-3.5.1-07 what is left out beside the value of a member stays",
    before: { members },
    after: { members: [{ value: "m10" }, ...members.slice(1), { value: "new" }] },
    operations: [{ op: "add", path: "members", value: [{ value: "new" }] }],
    stored: { members: [...members, { value: "new" }] },
  },
  {
    what: "a member of another name goes, and comes anew",
    before: { members },
    after: { members: [{ value: "m10", type: "User", display: "Renamed" }, ...members.slice(1)] },
    operations: [
      { op: "remove", path: 'members[value eq "m10"]' },
      { op: "add", path: "members", value: [{ value: "m10", type: "User", display: "Renamed" }] },
    ],
  },
  {
    what: "a member of another name among few is replaced with them, behind its removal",
    before: { members: members.slice(0, 2) },
    after: { members: [{ value: "a" }, { value: "m11", type: "User", display: "Renamed" }] },
    operations: [
      { op: "remove", path: 'members[value eq "m11"]' },
      {
        op: "replace",
        path: "members",
        value: [{ value: "a" }, { value: "m11", type: "User", display: "Renamed" }],
      },
    ],
  },
];

describe.each(["tolerant", "strict"] as const)("in the profile %s", (name) => {
  const transport = createInProcessTransport(aService({ registry, profile: PROFILES[name] }));
  const client = createScimClient({ baseUrl: "https://id.example/scim/v2", auth: TOKEN, transport });

  test.each(DEVICES)("$what", async ({ before, after, operations, stored = after }) => {
    const devices = client.resource(DEVICE);
    const device = await devices.create({ code: "c", ...before });
    expect(devices.diff({ code: "c", ...before }, { code: "c", ...after })).toEqual(operations);
    const { id } = device;
    await devices.update(device, () => ({ code: "c", ...after }), { by: "patch" });
    const { meta: _meta, schemas: _schemas, ...found } = await devices.get(id, { fresh: true });
    expect(withoutAddresses(found)).toEqual({ id, code: "c", ...stored });
  });

  test.each(GROUPS)("$what", async ({ before, after, operations, stored = after }) => {
    const { groups } = client;
    const displayName = crypto.randomUUID();
    const group = await groups.create({ displayName, ...before });
    expect(groups.diff({ displayName, ...before }, { displayName, ...after })).toEqual(operations);
    const { id } = group;
    await groups.update(group, () => ({ displayName, ...after }), { by: "patch" });
    const { members: found } = await groups.get(id, { fresh: true });
    // Members have no order.
    const sorted = (found ?? []).toSorted((a, b) => a.value.localeCompare(b.value));
    expect(withoutAddresses({ members: sorted })).toEqual(stored);
  });

  test("a reference that is changed in a copy does not keep the address of the resource before", async () => {
    const devices = client.resource(DEVICE);
    const device = await devices.create({ code: "c", owner });
    const next = await devices.update(
      device,
      (current) => ({ ...current, owner: Object.assign({}, current["owner"], { value: "g2" }) }),
      { by: "patch" },
    );
    expect(next["owner"]).toEqual({
      ...owner,
      value: "g2",
      $ref: "https://id.example/scim/v2/Groups/g2",
    });
  });
});

/** A resource as it was sent: services add the addresses of what is referred to. */
function withoutAddresses(resource: object): unknown {
  return JSON.parse(
    JSON.stringify(resource, (name, value: unknown) => (name === "$ref" ? undefined : value)),
  );
}
