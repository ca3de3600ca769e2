import { defineResourceType } from "@scim/client";
import { defineSchema, type InputOf, type ResourceOf } from "@scim/schemas";

export const USER_SCHEMA = defineSchema({
  id: "urn:ietf:params:scim:schemas:core:2.0:User",
  name: "User",
  attributes: [
    {
      name: "userName",
      type: "string",
      required: true,
      uniqueness: "server",
    },
    {
      name: "name",
      type: "complex",
      subAttributes: [
        {
          name: "formatted",
          type: "string",
        },
        {
          name: "familyName",
          type: "string",
        },
        {
          name: "givenName",
          type: "string",
        },
        {
          name: "middleName",
          type: "string",
        },
        {
          name: "honorificPrefix",
          type: "string",
        },
        {
          name: "honorificSuffix",
          type: "string",
        },
      ],
    },
    {
      name: "displayName",
      type: "string",
    },
    {
      name: "nickName",
      type: "string",
    },
    {
      name: "profileUrl",
      type: "reference",
    },
    {
      name: "title",
      type: "string",
    },
    {
      name: "userType",
      type: "string",
    },
    {
      name: "preferredLanguage",
      type: "string",
    },
    {
      name: "locale",
      type: "string",
    },
    {
      name: "timezone",
      type: "string",
    },
    {
      name: "active",
      type: "boolean",
    },
    {
      name: "password",
      type: "string",
      mutability: "writeOnly",
      returned: "never",
    },
    {
      name: "emails",
      type: "complex",
      multiValued: true,
      subAttributes: [
        {
          name: "value",
          type: "string",
        },
        {
          name: "display",
          type: "string",
        },
        {
          name: "type",
          type: "string",
        },
        {
          name: "primary",
          type: "boolean",
        },
      ],
    },
    {
      name: "phoneNumbers",
      type: "complex",
      multiValued: true,
      subAttributes: [
        {
          name: "value",
          type: "string",
        },
        {
          name: "display",
          type: "string",
        },
        {
          name: "type",
          type: "string",
        },
        {
          name: "primary",
          type: "boolean",
        },
      ],
    },
    {
      name: "ims",
      type: "complex",
      multiValued: true,
      subAttributes: [
        {
          name: "value",
          type: "string",
        },
        {
          name: "display",
          type: "string",
        },
        {
          name: "type",
          type: "string",
        },
        {
          name: "primary",
          type: "boolean",
        },
      ],
    },
    {
      name: "photos",
      type: "complex",
      multiValued: true,
      subAttributes: [
        {
          name: "value",
          type: "reference",
        },
        {
          name: "display",
          type: "string",
        },
        {
          name: "type",
          type: "string",
        },
        {
          name: "primary",
          type: "boolean",
        },
      ],
    },
    {
      name: "addresses",
      type: "complex",
      multiValued: true,
      subAttributes: [
        {
          name: "formatted",
          type: "string",
        },
        {
          name: "streetAddress",
          type: "string",
        },
        {
          name: "locality",
          type: "string",
        },
        {
          name: "region",
          type: "string",
        },
        {
          name: "postalCode",
          type: "string",
        },
        {
          name: "country",
          type: "string",
        },
        {
          name: "type",
          type: "string",
        },
        {
          name: "primary",
          type: "boolean",
        },
      ],
    },
    {
      name: "groups",
      type: "complex",
      multiValued: true,
      mutability: "readOnly",
      subAttributes: [
        {
          name: "value",
          type: "string",
          mutability: "readOnly",
        },
        {
          name: "$ref",
          type: "reference",
          mutability: "readOnly",
        },
        {
          name: "display",
          type: "string",
          mutability: "readOnly",
        },
        {
          name: "type",
          type: "string",
          mutability: "readOnly",
        },
      ],
    },
    {
      name: "entitlements",
      type: "complex",
      multiValued: true,
      subAttributes: [
        {
          name: "value",
          type: "string",
        },
        {
          name: "display",
          type: "string",
        },
        {
          name: "type",
          type: "string",
        },
        {
          name: "primary",
          type: "boolean",
        },
      ],
    },
    {
      name: "roles",
      type: "complex",
      multiValued: true,
      subAttributes: [
        {
          name: "value",
          type: "string",
        },
        {
          name: "display",
          type: "string",
        },
        {
          name: "type",
          type: "string",
        },
        {
          name: "primary",
          type: "boolean",
        },
      ],
    },
    {
      name: "x509Certificates",
      type: "complex",
      multiValued: true,
      subAttributes: [
        {
          name: "value",
          type: "binary",
        },
        {
          name: "display",
          type: "string",
        },
        {
          name: "type",
          type: "string",
        },
        {
          name: "primary",
          type: "boolean",
        },
      ],
    },
  ],
});

export const ENTERPRISE_USER_SCHEMA = defineSchema({
  id: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
  name: "EnterpriseUser",
  attributes: [
    {
      name: "employeeNumber",
      type: "string",
    },
    {
      name: "costCenter",
      type: "string",
    },
    {
      name: "organization",
      type: "string",
    },
    {
      name: "division",
      type: "string",
    },
    {
      name: "department",
      type: "string",
    },
    {
      name: "manager",
      type: "complex",
      subAttributes: [
        {
          name: "value",
          type: "string",
        },
        {
          name: "$ref",
          type: "reference",
        },
        {
          name: "displayName",
          type: "string",
          mutability: "readOnly",
        },
      ],
    },
  ],
});

export const BADGE_SCHEMA = defineSchema({
  id: "urn:example:params:scim:schemas:extension:acme:1.0:User",
  name: "Badge",
  attributes: [
    {
      name: "number",
      type: "integer",
    },
  ],
});

export const USER = defineResourceType({
  name: "User",
  endpoint: "/Users",
  schema: USER_SCHEMA,
  extensions: [ENTERPRISE_USER_SCHEMA, BADGE_SCHEMA],
});

export type User = ResourceOf<typeof USER_SCHEMA, [typeof ENTERPRISE_USER_SCHEMA, typeof BADGE_SCHEMA]>;

export type UserInput = InputOf<typeof USER_SCHEMA, [typeof ENTERPRISE_USER_SCHEMA, typeof BADGE_SCHEMA]>;

export const GROUP_SCHEMA = defineSchema({
  id: "urn:ietf:params:scim:schemas:core:2.0:Group",
  name: "Group",
  attributes: [
    {
      name: "displayName",
      type: "string",
      required: true,
    },
    {
      name: "members",
      type: "complex",
      multiValued: true,
      subAttributes: [
        {
          name: "value",
          type: "string",
          required: true,
          mutability: "immutable",
        },
        {
          name: "$ref",
          type: "reference",
          mutability: "immutable",
        },
        {
          name: "type",
          type: "string",
          mutability: "immutable",
        },
        {
          name: "display",
          type: "string",
          mutability: "immutable",
        },
      ],
    },
  ],
});

export const GROUP = defineResourceType({
  name: "Group",
  endpoint: "/Groups",
  schema: GROUP_SCHEMA,
  extensions: [],
});

export type Group = ResourceOf<typeof GROUP_SCHEMA, []>;

export type GroupInput = InputOf<typeof GROUP_SCHEMA, []>;

export const PARKING_SPACE_SCHEMA = defineSchema({
  id: "urn:example:params:scim:schemas:acme:1.0:Space",
  name: "parking space",
  attributes: [
    {
      name: "label",
      type: "string",
      required: true,
    },
    {
      name: "taken",
      type: "boolean",
      mutability: "readOnly",
    },
  ],
});

export const PARKING_SPACE = defineResourceType({
  name: "ParkingSpace",
  endpoint: "/ParkingSpaces",
  schema: PARKING_SPACE_SCHEMA,
  extensions: [],
});

export type ParkingSpace = ResourceOf<typeof PARKING_SPACE_SCHEMA, []>;

export type ParkingSpaceInput = InputOf<typeof PARKING_SPACE_SCHEMA, []>;
