import { describe, expectTypeOf, test } from "vitest";
import {
  defineSchema,
  USER_URN,
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

  test("takes a User with userName and refuses one without", () => {
    expectTypeOf({ schemas: [USER_URN], userName: "ada" }).toExtend<InputOf<typeof USER_SCHEMA>>();
    expectTypeOf({ schemas: [USER_URN] }).not.toExtend<InputOf<typeof USER_SCHEMA>>();
    expectTypeOf<InputOf<typeof USER_SCHEMA>>().not.toHaveProperty("groups");
    expectTypeOf<InputOf<typeof USER_SCHEMA>>().not.toHaveProperty("meta");
  });
});
