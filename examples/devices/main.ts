/**
 * Devices of RFC 9944, with extensions for Bluetooth, Wi-Fi and the like, from JSON files alone.
 * @module
 */
import { deepEqual, equal, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createClient, idsOf, type Client, type Json, type Made } from "../scim-client.ts";
import { startServer } from "../scim-server.ts";

const CORE = "urn:ietf:params:scim:schemas:core:2.0:";
const DEVICE = `${CORE}Device`;
const ENDPOINT_APP = `${CORE}EndpointApp`;
const extension = (name: string): string => `urn:ietf:params:scim:schemas:extension:${name}:2.0:Device`;
const BLE = extension("ble");
const NO_PAIRING = extension("pairingNull");
const JUST_WORKS = extension("pairingJustWorks");
const PASS_KEY = extension("pairingPassKey");
const OUT_OF_BAND = extension("pairingOOB");
const DPP = extension("dpp");
const ETHERNET = extension("ethernet-mab");
const ZIGBEE = extension("zigbee");
const APPS = extension("endpointAppsExt");

interface World {
  readonly client: Client;
  readonly baseUrl: string;
  readonly control: Made;
  /** Speaks Bluetooth. */
  readonly sensor: Made;
  /** Speaks Wi-Fi and Ethernet. */
  readonly camera: Made;
}

async function found(client: Client, baseUrl: string): Promise<World> {
  const control = await client.create("/EndpointApps", {
    schemas: [ENDPOINT_APP],
    applicationType: "deviceControl",
    applicationName: "Gateway control",
    certificateInfo: { rootCA: "TUlJ", subjectName: "control.example" },
  });
  const sensor = await client.create("/Devices", {
    schemas: [DEVICE, BLE, PASS_KEY, APPS],
    displayName: "Heart rate sensor",
    active: true,
    mudUrl: "https://maker.example/sensor.json",
    [BLE]: {
      versionSupport: ["5.3"],
      deviceMacAddress: "2C:54:91:88:C9:E2",
      isRandom: false,
      irk: "3c4d5e6f",
      mobility: true,
      pairingMethods: [NO_PAIRING, PASS_KEY],
    },
    [PASS_KEY]: { key: 123_456 },
    [APPS]: { applications: [{ value: control.id }] },
  });
  const camera = await client.create("/Devices", {
    schemas: [DEVICE, DPP, ETHERNET],
    displayName: "Camera",
    active: false,
    [DPP]: {
      dppVersion: 2,
      bootstrapKey: "MDkwEwYHKoZIzj0C",
      classChannel: ["81/1", "115/36"],
      serialNumber: "4774LH2b4044",
    },
    [ETHERNET]: { deviceMacAddress: "00:11:22:33:44:55" },
  });
  return { client, baseUrl, control, sensor, camera };
}

async function discovery({ client }: World): Promise<void> {
  const { body: type } = await client.call("GET", "/ResourceTypes/Device");
  equal(type["endpoint"], "/Devices");
  const { body: schemas } = await client.call("GET", "/Schemas");
  const pairing = [NO_PAIRING, JUST_WORKS, PASS_KEY, OUT_OF_BAND];
  for (const urn of [DEVICE, ENDPOINT_APP, BLE, ...pairing, DPP, ETHERNET, ZIGBEE, APPS])
    ok(idsOf(schemas).includes(urn), urn);
}

async function representation({ client, baseUrl, sensor, control }: World): Promise<void> {
  const { body } = await client.call("GET", sensor.path);
  deepEqual(body["schemas"], [DEVICE, BLE, PASS_KEY, APPS]);
  deepEqual(body[APPS], {
    applications: [{ value: control.id, $ref: `${baseUrl}/EndpointApps/${control.id}` }],
  });
  deepEqual(Object.keys(body[BLE] as Json), [
    "versionSupport",
    "deviceMacAddress",
    "isRandom",
    "mobility",
    "pairingMethods",
  ]);
}

async function filters({ client, sensor, camera, control }: World): Promise<void> {
  const filtered: readonly (readonly [filter: string, made: readonly Made[]])[] = [
    ['displayName sw "heart"', [sensor]],
    ["active eq true", [sensor]],
    ['mudUrl eq "https://maker.example/sensor.json"', [sensor]],
    ['mudUrl eq "https://MAKER.example/sensor.json"', []],
    [`${BLE}:deviceMacAddress eq "2c:54:91:88:c9:e2"`, [sensor]],
    [`${ETHERNET}:deviceMacAddress sw "00:11"`, [camera]],
    [`${BLE}:versionSupport eq "5.3" and ${BLE}:mobility eq true`, [sensor]],
    [`${BLE}:pairingMethods eq "${PASS_KEY}"`, [sensor]],
    [`${BLE}:pairingMethods eq "${NO_PAIRING}"`, [sensor]],
    [`${PASS_KEY}:key ge 100000`, [sensor]],
    [`${DPP}:classChannel eq "115/36"`, [camera]],
    [`${APPS}:applications.value eq "${control.id}"`, [sensor]],
    [`not (${BLE}:deviceMacAddress pr)`, [camera]],
  ];
  for (const [filter, made] of filtered) await client.finds({ filter }, made);
  await client.finds({ filter: `${DPP}:serialNumber pr or active eq true`, sortBy: "displayName" }, [
    camera,
    sensor,
  ]);
  await client.finds({ filter: 'applicationType eq "deviceControl"' }, [control], "/EndpointApps");
}

async function patches({ client, sensor }: World): Promise<void> {
  const changed = await client.patch(
    sensor.path,
    { op: "replace", path: `${PASS_KEY}:key`, value: 7 },
    { op: "add", path: `${BLE}:versionSupport`, value: ["5.4"] },
    { op: "add", path: `${BLE}:separateBroadcastAddress`, value: ["AA:BB:88:77:22:11"] },
    { op: "replace", path: "active", value: false },
  );
  deepEqual(changed[PASS_KEY], { key: 7 });
  deepEqual((changed[BLE] as Json)["versionSupport"], ["5.3", "5.4"]);
  equal(changed["active"], false);
  const without = await client.patch(sensor.path, { op: "remove", path: PASS_KEY });
  deepEqual(without["schemas"], [DEVICE, BLE, APPS]);
  const paired = await client.patch(sensor.path, { op: "add", path: `${JUST_WORKS}:key`, value: 5 });
  deepEqual(paired["schemas"], [DEVICE, BLE, JUST_WORKS, APPS]);
}

async function errors({ client, sensor, control }: World): Promise<void> {
  const device = (body: Json): ReturnType<Client["call"]> =>
    client.call("POST", "/Devices", { body: { schemas: [DEVICE], active: true, ...body } });
  const refusals: readonly (readonly [body: Json, words: string])[] = [
    [{ active: null }, "'active' is required"],
    [{ [PASS_KEY]: { key: 1_000_000 } }, "key' must be at most 999999"],
    [{ [PASS_KEY]: { key: "012345" } }, "key' must be a whole number"],
    [{ [ETHERNET]: { deviceMacAddress: "00:11" } }, "deviceMacAddress' must have at least 17 characters"],
    [{ [ZIGBEE]: { deviceEui64Address: "50:32:5F:FF:FE:E7:67:28" } }, "versionSupport' is required"],
    [
      { [BLE]: { versionSupport: ["5.3"], deviceMacAddress: "2C:54:91:88:C9:E3" } },
      "pairingMethods' is required",
    ],
    [{ mudUrl: "https://maker.example/\u0007" }, "'mudUrl' must be a URI"],
  ];
  for (const [body, words] of refusals) {
    const refused = await client.refused(device(body), 400, "invalidValue");
    ok(String(refused.body["detail"]).includes(words), `${words}: ${String(refused.body["detail"])}`);
  }
  await client.refused(device({ groups: [{ value: "g1" }] }), 400, "mutability");
  const other = { schemas: [ENDPOINT_APP], applicationType: "telemetry", applicationName: "Gateway control" };
  await client.refused(client.call("PUT", control.path, { body: other }), 400, "mutability");
  equal((await client.call("DELETE", sensor.path)).status, 204);
  await client.refused(client.call("GET", sensor.path), 404);
}

const folder = process.argv[2] ?? fileURLToPath(new URL(".", import.meta.url));
const server = await startServer(folder);
try {
  const world = await found(createClient(server, "/Devices"), server.baseUrl);
  for (const step of [discovery, representation, filters, patches, errors]) {
    await step(world);
    console.log(`devices: ${step.name}`);
  }
} finally {
  await server.stop();
}
