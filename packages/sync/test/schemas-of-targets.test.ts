import { join } from "node:path";
import { PROFILES } from "@scim/core";
import { createDefaultRegistry } from "@scim/schemas";
import { expect, test } from "vitest";
import { aFile, aFolder, aTarget, plan, run } from "./support/target.ts";

const URN = "urn:example:params:scim:schemas:acme:1.0:Device";
const text = (name: string) => ({ name, type: "string" }) as const;

/** A registry with devices, each with a group that owns it. */
function withDevices() {
  const registry = createDefaultRegistry();
  const $ref = { name: "$ref", type: "reference", referenceTypes: ["User", "Group"] } as const;
  registry.addSchema({
    id: URN,
    name: "Device",
    attributes: [
      { ...text("code"), required: true, uniqueness: "server" },
      { ...text("serial"), mutability: "immutable" },
      {
        name: "owner",
        type: "complex",
        subAttributes: [{ ...text("value"), caseExact: true }, $ref, text("type"), text("display")],
      },
    ],
  });
  registry.addResourceType({ name: "Device", endpoint: "/Devices", schema: URN });
  return registry;
}

// What the mapping sets of the description is set anew, whichever comes first; what others said of the owner before goes.
test.each([
  ["its value alone", 'owner.value: "{group}"', {}],
  ["its value alone, in an object", 'owner: { value: "{group}" }', {}],
  ["its value first", 'owner.value: "{group}", owner.display: "{name}"', { display: "Ops" }],
  ["its value last", 'owner.display: "{name}", owner.value: "{group}"', { display: "Ops" }],
  [
    "all of it",
    'owner: { value: "{group}", type: Group, display: "{name}" }',
    { type: "Group", display: "Ops" },
  ],
])(
  "a reference to another resource does not keep what described the one before: of %s",
  async (_of, set, rest) => {
    const target = await aTarget({ registry: withDevices() });
    const mapping = `
resources:
  - type: Device
    key: "{code}"
    match: code
    set: { code: "{code}", ${set} }
`;
    const state = join(aFolder(), "state");
    const optionsOf = (group: string) => ({
      mapping,
      state,
      sources: { devices: aFile("d.csv", `code,group,name\nc,${group},Ops\n`) },
    });
    const follow = async (group: string) => {
      const options = optionsOf(group);
      expect((await run(target, options)).report.failures).toEqual([]);
      expect((await plan(target, { ...options, everything: true })).steps).toHaveLength(0);
      const { body } = await target.client.request({ method: "GET", path: "/Devices" });
      const [device] = (body as { Resources: readonly { id: string; owner: object }[] }).Resources;
      if (device === undefined) throw new TypeError("There is a device.");
      return device;
    };
    const { id } = await follow("g1");
    const described = [{ op: "add", path: "owner", value: { type: "Group", display: "Theirs" } }];
    const schemas = ["urn:ietf:params:scim:api:messages:2.0:PatchOp"];
    const body = { schemas, Operations: described };
    await target.client.request({ method: "PATCH", path: `/Devices/${id}`, body });
    const { owner } = await follow("g2");
    const { $ref: _made, ...found } = { $ref: null, ...owner };
    expect(found).toEqual({ value: "g2", ...rest });
    await target.client.request({ method: "PATCH", path: `/Devices/${id}`, body });
    const [step] = (await plan(target, { ...optionsOf(""), everything: true })).steps;
    expect(JSON.stringify(step)).not.toMatch(/"to":\{[^}]*Theirs/);
  },
);

test("R7644-3.5.1-07 what is immutable stays where its record has nothing for it, is told once, and is no failure", async () => {
  const target = await aTarget({ registry: withDevices(), profile: PROFILES.strict });
  const mapping = `
resources:
  - { type: Device, key: "{code}", match: code, set: { code: "{code}", serial: "{serial}" } }
`;
  const state = join(aFolder(), "state");
  const follow = async (serial: string) => {
    const devices = aFile("d.csv", `code,serial\nc,${serial}\n`);
    return run(target, { mapping, state, sources: { devices } });
  };
  await follow("1");
  target.written();
  const { report } = await follow("");
  expect(report.failures).toEqual([]);
  expect(report.kept).toMatchObject([{ path: "serial", count: 1, example: { asked: "null", kept: '"1"' } }]);
  expect(target.written()).toEqual([]);
  expect((await follow("")).plan.steps).toHaveLength(0);
});
