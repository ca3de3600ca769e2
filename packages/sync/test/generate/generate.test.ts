import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { runInNewContext } from "node:vm";
import { defineResourceType, type ClientResourceType } from "@scim/client";
import { defineSchema } from "@scim/schemas";
import fc from "fast-check";
import { expect, test } from "vitest";
import { generateSource } from "../../src/index.ts";
import { DEVICE, DEVICE_RADIO_SCHEMA, DEVICE_SCHEMA, type Device, type DeviceInput } from "./made/devices.ts";
import { deviceService } from "./device-service.ts";
import { HOSTILE_TYPES } from "./hostile.ts";

test("what a service says becomes source that is the same each time", async () => {
  const client = deviceService();
  const first = generateSource(await client.discovery.resourceTypes());
  const second = generateSource(await client.discovery.resourceTypes());
  expect(second).toEqual(first);
  expect(first.notices).toEqual([]);
  // The file is compiled with the tests, and used below.
  await expect(first.source).toMatchFileSnapshot("made/devices.ts");
});

test("the client takes the types that were made, extension and all", async () => {
  const devices = deviceService().resource(DEVICE);
  const input: DeviceInput = {
    serial: "4711",
    pin: "0000",
    owners: [{ value: "ann", primary: true }],
    [DEVICE_RADIO_SCHEMA.id]: { channel: 7 },
  };
  const made = await devices.create(input);
  const device: Device = await devices.get(made.id);
  expect(device).toMatchObject({ serial: "4711", [DEVICE_RADIO_SCHEMA.id]: { channel: 7 } });
  expect(device).not.toHaveProperty("pin");
  expect(device[DEVICE_RADIO_SCHEMA.id]?.channel?.toFixed(1)).toBe("7.0");
  const found = await devices.list({ filter: (d) => d.serial.eq("4711") }).toArray();
  expect(found.map(({ id }) => id)).toEqual([made.id]);
  // @ts-expect-error what is readOnly is not sent
  const refused: DeviceInput = { serial: "1", seenAt: "2026-01-01T00:00:00Z" };
  // @ts-expect-error what is never returned cannot be read
  void device.pin;
  // @ts-expect-error what is required is there
  const lacking: DeviceInput = {};
  expect([refused, lacking]).toHaveLength(2);
  expect(DEVICE_SCHEMA.attributes[0].name).toBe("serial");
});

test("what a hostile service says becomes no code, and compiles", async () => {
  const { source, notices } = generateSource(HOSTILE_TYPES);
  await expect(source).toMatchFileSnapshot("made/hostile.ts");
  expect(notices.map((notice) => notice.slice(0, 160))).toMatchSnapshot();
  await import("./made/hostile.ts");
  expect(globalThis).not.toHaveProperty("hacked");
});

test("README.md shows what is written", () => {
  const schema = defineSchema({
    id: "urn:example:params:scim:schemas:acme:1.0:Device",
    name: "Device",
    description: "A machine that somebody carries about.",
    attributes: [{ name: "serial", type: "string", required: true, uniqueness: "server" }],
  });
  const { source } = generateSource([{ name: "Device", endpoint: "/Devices", schema, extensions: [] }]);
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${source.slice(source.indexOf("import "))}\`\`\``);
});

test("whatever texts a service gives, the source says them and nothing else", () => {
  const text = fc.oneof(
    fc.string(),
    // The unit `binary` holds the same, and makes a table of all of Unicode first.
    fc.array(fc.nat({ max: 0x10_ffff }).filter(isCharacter)).map((codes) => String.fromCodePoint(...codes)),
    fc.constantFrom("*/", "\u2028", "`${1}`", "\\", '"', "\u202E", "*/*", "//", "</script>"),
    fc
      .array(fc.constantFrom("*", "/", "\\", '"', "\n", "${", "}"), { maxLength: 8 })
      .map((parts) => parts.join("")),
  );
  const property = fc.property(text, text, text, (name, description, canonical) => {
    const schema = {
      id: `urn:${name}`,
      name,
      description,
      attributes: [{ name: "a", type: "string", description, canonicalValues: [canonical] }],
    } as const;
    const type: ClientResourceType = { name, endpoint: "/Things", schema, extensions: [] };
    expect(evaluated(generateSource([type]).source)).toEqual({
      name,
      endpoint: "/Things",
      extensions: [],
      schema: {
        id: schema.id,
        ...(name === "" ? {} : { name }),
        ...(description === "" ? {} : { description }),
        attributes: [
          {
            name: "a",
            type: "string",
            ...(description === "" ? {} : { description }),
            canonicalValues: [canonical],
          },
        ],
      },
    });
  });
  fc.assert(property, { numRuns: 80, examples: [["", "", ""]] });
});

/** Surrogates stand for no character. */
function isCharacter(code: number): boolean {
  return code < 0xd800 || code > 0xdfff;
}

/** The first resource type of a module, whose imports are given to it. */
function evaluated(source: string): unknown {
  const code = stripTypeScriptTypes(source)
    .replaceAll(/^import .*$/gm, "")
    .replaceAll(
      /^export const (\w+) = defineResourceType/gm,
      "globalThis.made = globalThis.made = defineResourceType",
    )
    .replaceAll(/^export /gm, "");
  const context: { made?: unknown; defineSchema: unknown; defineResourceType: unknown } = {
    defineSchema,
    defineResourceType,
  };
  runInNewContext(code, context);
  // Objects of another realm have prototypes of their own.
  return JSON.parse(JSON.stringify(context.made));
}
