import { describe, expectTypeOf, test } from "vitest";
import {
  defineSchema,
  USER_URN,
  type AttributePathOf,
  type ENTERPRISE_USER_SCHEMA,
  type GROUP_SCHEMA,
  type InputOf,
  type ResourceOf,
  type SchemaDefinition,
  type USER_SCHEMA,
} from "@scim/schemas";

const device = defineSchema({
  id: "urn:example:Device",
  attributes: [
    { name: "serial", type: "string", required: true, mutability: "immutable" },
    { name: "weight", type: "decimal" },
    { name: "ports", type: "integer", multiValued: true },
    { name: "rented", type: "boolean" },
    { name: "seen", type: "dateTime", mutability: "readOnly" },
    { name: "pin", type: "string", returned: "never" },
    { name: "key", type: "binary", mutability: "writeOnly" },
    { name: "manual", type: "reference", referenceTypes: ["external"] },
    {
      name: "owners",
      type: "complex",
      multiValued: true,
      subAttributes: [
        { name: "value", type: "string", required: true },
        { name: "$ref", type: "reference", mutability: "readOnly" },
      ],
    },
  ],
});

const badge = defineSchema({
  id: "urn:example:params:scim:schemas:extension:acme:1.0:Device",
  attributes: [
    { name: "colour", type: "string", required: true },
    { name: "printed", type: "dateTime", mutability: "readOnly", returned: "always" },
    { name: "pin", type: "string", mutability: "writeOnly" },
  ],
});
const lease = defineSchema({
  id: "urn:example:params:scim:schemas:extension:acme:2.1.0:Device",
  attributes: [
    {
      name: "terms",
      type: "complex",
      required: true,
      subAttributes: [
        { name: "months", type: "integer", required: true },
        { name: "signed", type: "boolean", mutability: "readOnly" },
        { name: "code", type: "string", returned: "never" },
      ],
    },
  ],
});

interface Meta {
  readonly resourceType: string;
  readonly created: string;
  readonly lastModified: string;
  readonly location: string;
  readonly version: string;
}

describe("ResourceOf", () => {
  test("has each attribute under its name, with the type of its data type", () => {
    expectTypeOf<ResourceOf<typeof device>>().toEqualTypeOf<{
      readonly schemas: readonly string[];
      readonly id: string;
      readonly externalId?: string;
      readonly meta: Meta;
      readonly serial: string;
      readonly weight?: number;
      readonly ports?: readonly number[];
      readonly rented?: boolean;
      readonly seen?: string;
      readonly manual?: string;
      readonly owners?: readonly { readonly value: string; readonly $ref?: string }[];
    }>();
  });

  test("leaves out what is never returned", () => {
    expectTypeOf<ResourceOf<typeof USER_SCHEMA>>().not.toHaveProperty("password");
    expectTypeOf<ResourceOf<typeof device>>().not.toHaveProperty("pin");
    expectTypeOf<ResourceOf<typeof device>>().not.toHaveProperty("key");
  });

  test("knows the shapes of User and Group", () => {
    type User = ResourceOf<typeof USER_SCHEMA>;
    expectTypeOf<User["userName"]>().toEqualTypeOf<string>();
    expectTypeOf<User["active"]>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf<NonNullable<User["emails"]>[number]>().toEqualTypeOf<{
      readonly value?: string;
      readonly display?: string;
      readonly type?: string;
      readonly primary?: boolean;
    }>();
    expectTypeOf<
      NonNullable<ResourceOf<typeof GROUP_SCHEMA>["members"]>[number]["value"]
    >().toEqualTypeOf<string>();
  });

  test("holds each extension under its URN", () => {
    type Employee = ResourceOf<typeof USER_SCHEMA, [typeof ENTERPRISE_USER_SCHEMA]>;
    type Enterprise = Employee["urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"];
    expectTypeOf<NonNullable<Enterprise>["department"]>().toEqualTypeOf<string | undefined>();
  });

  test("of a custom type with several extensions is one object type, flat at every level", () => {
    expectTypeOf<ResourceOf<typeof badge, [typeof lease, typeof badge]>>().toEqualTypeOf<{
      readonly schemas: readonly string[];
      readonly id: string;
      readonly externalId?: string;
      readonly meta: Meta;
      readonly colour: string;
      readonly printed: string;
      readonly "urn:example:params:scim:schemas:extension:acme:1.0:Device"?: {
        readonly colour: string;
        readonly printed: string;
      };
      readonly "urn:example:params:scim:schemas:extension:acme:2.1.0:Device"?: {
        readonly terms: { readonly months: number; readonly signed?: boolean };
      };
    }>();
  });

  test("of a schema known at run time only still has the common attributes", () => {
    expectTypeOf<ResourceOf<SchemaDefinition>>().toHaveProperty("meta");
  });
});

describe("InputOf", () => {
  test("lacks what is readOnly, at both levels, and has what is never returned", () => {
    expectTypeOf<InputOf<typeof device>>().toEqualTypeOf<{
      readonly schemas: readonly string[];
      readonly externalId?: string;
      readonly serial: string;
      readonly weight?: number;
      readonly ports?: readonly number[];
      readonly rented?: boolean;
      readonly pin?: string;
      readonly key?: string;
      readonly manual?: string;
      readonly owners?: readonly { readonly value: string }[];
    }>();
  });

  test("of a custom type with several extensions lacks what is readOnly in them, and has their secrets", () => {
    expectTypeOf<InputOf<typeof badge, [typeof lease, typeof badge]>>().toEqualTypeOf<{
      readonly schemas: readonly string[];
      readonly externalId?: string;
      readonly colour: string;
      readonly pin?: string;
      readonly "urn:example:params:scim:schemas:extension:acme:1.0:Device"?: {
        readonly colour: string;
        readonly pin?: string;
      };
      readonly "urn:example:params:scim:schemas:extension:acme:2.1.0:Device"?: {
        readonly terms: { readonly months: number; readonly code?: string };
      };
    }>();
  });

  test("refuses what a client cannot set, and what is of another type", () => {
    const schemas = [badge.id];
    expectTypeOf({ schemas, colour: "red", pin: "1234" }).toExtend<InputOf<typeof badge>>();
    // @ts-expect-error a readOnly attribute
    const readOnly: InputOf<typeof badge> = { schemas, colour: "red", printed: "2026-01-01T00:00:00Z" };
    // @ts-expect-error an attribute that the schema does not have
    const unknown: InputOf<typeof badge> = { schemas, colour: "red", size: 3 };
    // @ts-expect-error a value of another type
    const wrong: InputOf<typeof badge> = { schemas, colour: 7 };
    // @ts-expect-error an extension without what it requires
    const partial: InputOf<typeof badge, [typeof lease]> = { schemas, colour: "red", [lease.id]: {} };
    expectTypeOf([readOnly, unknown, wrong, partial]).toBeArray();
  });

  test("takes a User with userName and refuses one without", () => {
    expectTypeOf({ schemas: [USER_URN], userName: "ada" }).toExtend<InputOf<typeof USER_SCHEMA>>();
    expectTypeOf({ schemas: [USER_URN] }).not.toExtend<InputOf<typeof USER_SCHEMA>>();
    expectTypeOf<InputOf<typeof USER_SCHEMA>>().not.toHaveProperty("groups");
    expectTypeOf<InputOf<typeof USER_SCHEMA>>().not.toHaveProperty("meta");
  });
});

describe("AttributePathOf", () => {
  test("has attributes, sub-attributes, common attributes, and those of extensions behind their URN", () => {
    type Path = AttributePathOf<typeof badge, [typeof lease]>;
    expectTypeOf<Path>().toEqualTypeOf<
      | "schemas"
      | "id"
      | "externalId"
      | "meta"
      | "meta.resourceType"
      | "meta.created"
      | "meta.lastModified"
      | "meta.location"
      | "meta.version"
      | "colour"
      | "printed"
      | "pin"
      | "urn:example:params:scim:schemas:extension:acme:2.1.0:Device:terms"
      | "urn:example:params:scim:schemas:extension:acme:2.1.0:Device:terms.months"
      | "urn:example:params:scim:schemas:extension:acme:2.1.0:Device:terms.signed"
      | "urn:example:params:scim:schemas:extension:acme:2.1.0:Device:terms.code"
    >();
  });

  test("refuses what is misspelt", () => {
    expectTypeOf<"name.givenName">().toExtend<AttributePathOf<typeof USER_SCHEMA>>();
    expectTypeOf<"name.givenname">().not.toExtend<AttributePathOf<typeof USER_SCHEMA>>();
    expectTypeOf<"emails.value.x">().not.toExtend<AttributePathOf<typeof USER_SCHEMA>>();
  });

  test("of a schema known at run time only is any text", () => {
    expectTypeOf<string>().toExtend<AttributePathOf<SchemaDefinition>>();
  });
});
