import { join } from "node:path";
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
    const follow = async (group: string) => {
      const devices = aFile("d.csv", `code,group,name\nc,${group},Ops\n`);
      const options = { mapping, state, sources: { devices } };
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
  },
);
