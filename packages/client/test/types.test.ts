import {
  defineResourceType,
  type PathValue,
  type ResourceClient,
  type ScimClient,
  type ScimClientError,
  type ShapeOf,
  type VersionConflictError,
} from "@scim/client";
import { defineSchema, type ENTERPRISE_USER_URN, type PatchOperation } from "@scim/schemas";
import { describe, expectTypeOf, test } from "vitest";

const DEVICE = defineSchema({
  id: "urn:example:params:scim:schemas:acme:1.0:Device",
  attributes: [
    { name: "serial", type: "string", required: true },
    { name: "seen", type: "dateTime", mutability: "readOnly" },
    { name: "weight", type: "decimal" },
    { name: "pin", type: "string", mutability: "writeOnly" },
  ],
});
const LEASE = defineSchema({
  id: "urn:example:params:scim:schemas:extension:acme:1.0:Device",
  attributes: [{ name: "months", type: "integer" }],
});
const TYPE = defineResourceType({
  name: "Device",
  endpoint: "/Devices",
  schema: DEVICE,
  extensions: [LEASE],
});

type Devices = ResourceClient<ShapeOf<typeof DEVICE, [typeof LEASE]>>;
type Device = Awaited<ReturnType<Devices["replace"]>>;
type DeviceInput = Parameters<Devices["create"]>[0];
type Users = ScimClient["users"];
type User = Awaited<ReturnType<Users["replace"]>>;
type UserInput = Parameters<Users["create"]>[0];

/** Types are checked; nothing runs. */
declare const client: ScimClient;

describe("resources", () => {
  test("of a type of one's own have the attributes of its schemas, extensions under their URN", () => {
    expectTypeOf<Device["serial"]>().toEqualTypeOf<string>();
    expectTypeOf<Device["seen"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Device>().not.toHaveProperty("pin");
    expectTypeOf<NonNullable<Device[typeof LEASE.id]>["months"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf(TYPE.endpoint).toEqualTypeOf<string>();
  });

  test("of users have groups, id, meta and the enterprise extension", () => {
    expectTypeOf<User["id"]>().toEqualTypeOf<string>();
    expectTypeOf<User>().toHaveProperty("groups");
    expectTypeOf<NonNullable<User[typeof ENTERPRISE_USER_URN]>["department"]>().toEqualTypeOf<
      string | undefined
    >();
  });

  test("are partial where attributes were left out", () => {
    const slim = () => client.users.get("1", { attributes: ["userName"] });
    type Slim = Awaited<ReturnType<typeof slim>>;
    expectTypeOf<Slim["userName"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Slim["id"]>().toEqualTypeOf<string>();
    const whole = () => client.users.get("1", { fresh: true });
    expectTypeOf<Awaited<ReturnType<typeof whole>>["userName"]>().toEqualTypeOf<string>();
  });
});

describe("inputs", () => {
  test("lack what is readOnly, and need no 'schemas'", () => {
    expectTypeOf<DeviceInput>().not.toHaveProperty("seen");
    expectTypeOf<DeviceInput>().not.toHaveProperty("id");
    expectTypeOf<DeviceInput>().toHaveProperty("pin");
    expectTypeOf<UserInput>().not.toHaveProperty("groups");
    expectTypeOf<{ userName: string }>().toExtend<UserInput>();
    expectTypeOf<{ title: string }>().not.toExtend<UserInput>();
    // A resource that was read may be sent back.
    expectTypeOf<User>().toExtend<UserInput>();
  });

  test("refuse what a client cannot set", () => {
    // @ts-expect-error a readOnly attribute
    const readOnly = () => client.users.create({ userName: "a", groups: [] });
    // @ts-expect-error an attribute that the schema does not have
    const unknown = () => client.users.create({ userName: "a", nick: "b" });
    // @ts-expect-error an unknown path
    const path = () => client.users.get("1", { attributes: ["user"] });
    expectTypeOf([readOnly, unknown, path]).toBeArray();
  });
});

describe("builders", () => {
  test("know operators by the type of the attribute", () => {
    // @ts-expect-error booleans have no order
    const order = () => client.users.list({ filter: (f) => f.active.gt(true) });
    // @ts-expect-error text is compared with text
    const value = () => client.users.list({ filter: (f) => f.userName.eq(7) });
    // @ts-expect-error no such attribute
    const name = () => client.users.list({ filter: (f) => f.user.eq("a") });
    // @ts-expect-error plain attributes have no values to choose from
    const where = () => client.users.list({ filter: (f) => f.userName.where(() => f.title.pr()) });
    expectTypeOf([order, value, name, where]).toBeArray();
  });

  test("know the value at each path", () => {
    expectTypeOf<PathValue<UserInput, "active">>().toEqualTypeOf<boolean>();
    expectTypeOf<PathValue<UserInput, "name.givenName">>().toEqualTypeOf<string>();
    expectTypeOf<PathValue<UserInput, "emails.primary">>().toEqualTypeOf<boolean>();
    expectTypeOf<PathValue<UserInput, `${typeof ENTERPRISE_USER_URN}:department`>>().toEqualTypeOf<string>();
    expectTypeOf<PathValue<DeviceInput, `${typeof LEASE.id}:months`>>().toEqualTypeOf<number>();
    expectTypeOf<PathValue<UserInput, "groups">>().toBeNever();
    // @ts-expect-error a value of another type
    const type = () => client.users.patch("1", (p) => p.replace("active", "no"));
    // @ts-expect-error a readOnly attribute
    const readOnly = () => client.users.patch("1", (p) => p.replace("meta.version", "x"));
    // @ts-expect-error a sub-attribute that emails do not have
    const sub = () => client.users.patch("1", (p) => p.values("emails", (e) => e.pr()).set("colour", "x"));
    expectTypeOf([type, readOnly, sub]).toBeArray();
    expectTypeOf<readonly PatchOperation[]>().toExtend<Parameters<Users["patch"]>[1]>();
  });
});

test("a code narrows the error", () => {
  type Conflict = Extract<ScimClientError, { readonly code: "versionMismatch" }>;
  expectTypeOf<Conflict>().toEqualTypeOf<VersionConflictError>();
});
