/**
 * Schemas and resource types of a SCIM service, made by `scim generate`: make it anew rather than change it.
 * @module
 */
import { defineResourceType, type ShapeOf } from "@scim/client";
import { defineSchema } from "@scim/schemas";

/** A person's account. */
export const USER_SCHEMA = defineSchema({
  id: "urn:ietf:params:scim:schemas:core:2.0:User",
  name: "User",
  description: "A person's account.",
  attributes: [
    {
      name: "userName",
      type: "string",
      description: "Name that the user signs in with.",
      required: true,
      uniqueness: "server",
    },
    {
      name: "name",
      type: "complex",
      description: "The parts of the person's name.",
      subAttributes: [
        { name: "formatted", type: "string", description: "The whole name, ready to be shown." },
        { name: "familyName", type: "string", description: "Family name, or last name." },
        { name: "givenName", type: "string", description: "Given name, or first name." },
        { name: "middleName", type: "string", description: "Middle names." },
        {
          name: "honorificPrefix",
          type: "string",
          description: "Title before the name, such as 'Dr.'.",
        },
        {
          name: "honorificSuffix",
          type: "string",
          description: "Suffix after the name, such as 'III'.",
        },
      ],
    },
    { name: "displayName", type: "string", description: "Name under which the user is shown." },
    { name: "nickName", type: "string", description: "Casual name of the person." },
    {
      name: "profileUrl",
      type: "reference",
      description: "Address of the user's profile page.",
      caseExact: true,
      referenceTypes: ["external"],
    },
    { name: "title", type: "string", description: "Job title, such as 'Vice President'." },
    {
      name: "userType",
      type: "string",
      description: "Relation to the organization, such as 'Contractor'.",
    },
    {
      name: "preferredLanguage",
      type: "string",
      description: "Languages that the user prefers, written as in Accept-Language.",
    },
    {
      name: "locale",
      type: "string",
      description: "Language tag for dates, numbers and currency.",
    },
    { name: "timezone", type: "string", description: "Time zone by its IANA name." },
    { name: "active", type: "boolean", description: "Whether the account may be used." },
    {
      name: "password",
      type: "string",
      description: "Password to set; no answer shows it.",
      mutability: "writeOnly",
      returned: "never",
    },
    {
      name: "emails",
      type: "complex",
      multiValued: true,
      description: "E-mail addresses.",
      subAttributes: [
        { name: "value", type: "string", description: "The e-mail address." },
        { name: "display", type: "string", description: "Text shown for the value." },
        {
          name: "type",
          type: "string",
          description: "Label that tells what the value is for.",
          canonicalValues: ["work", "home", "other"],
        },
        {
          name: "primary",
          type: "boolean",
          description: "Whether the value is the preferred one; true at most once.",
        },
      ],
    },
    {
      name: "phoneNumbers",
      type: "complex",
      multiValued: true,
      description: "Telephone numbers.",
      subAttributes: [
        { name: "value", type: "string", description: "The number, best as a 'tel' URI." },
        { name: "display", type: "string", description: "Text shown for the value." },
        {
          name: "type",
          type: "string",
          description: "Label that tells what the value is for.",
          canonicalValues: ["work", "home", "mobile", "fax", "pager", "other"],
        },
        {
          name: "primary",
          type: "boolean",
          description: "Whether the value is the preferred one; true at most once.",
        },
      ],
    },
    {
      name: "ims",
      type: "complex",
      multiValued: true,
      description: "Addresses for instant messages.",
      subAttributes: [
        { name: "value", type: "string", description: "The address at the messaging service." },
        { name: "display", type: "string", description: "Text shown for the value." },
        {
          name: "type",
          type: "string",
          description: "Label that tells what the value is for.",
          canonicalValues: ["aim", "gtalk", "icq", "xmpp", "msn", "skype", "qq", "yahoo"],
        },
        {
          name: "primary",
          type: "boolean",
          description: "Whether the value is the preferred one; true at most once.",
        },
      ],
    },
    {
      name: "photos",
      type: "complex",
      multiValued: true,
      description: "Pictures of the person.",
      subAttributes: [
        {
          name: "value",
          type: "reference",
          description: "Address of the image file.",
          caseExact: true,
          referenceTypes: ["external"],
        },
        { name: "display", type: "string", description: "Text shown for the value." },
        {
          name: "type",
          type: "string",
          description: "Label that tells what the value is for.",
          canonicalValues: ["photo", "thumbnail"],
        },
        {
          name: "primary",
          type: "boolean",
          description: "Whether the value is the preferred one; true at most once.",
        },
      ],
    },
    {
      name: "addresses",
      type: "complex",
      multiValued: true,
      description: "Postal addresses.",
      subAttributes: [
        { name: "formatted", type: "string", description: "The whole address, ready for a label." },
        {
          name: "streetAddress",
          type: "string",
          description: "Street, house number and what belongs to them.",
        },
        { name: "locality", type: "string", description: "City or town." },
        { name: "region", type: "string", description: "State, province or region." },
        { name: "postalCode", type: "string", description: "Postal code." },
        {
          name: "country",
          type: "string",
          description: "Country by its two letters of ISO 3166-1.",
        },
        {
          name: "type",
          type: "string",
          description: "Label that tells what the value is for.",
          canonicalValues: ["work", "home", "other"],
        },
        {
          name: "primary",
          type: "boolean",
          description: "Whether the value is the preferred one; true at most once.",
        },
      ],
    },
    {
      name: "groups",
      type: "complex",
      multiValued: true,
      description: "Groups that the user is a member of, worked out by the service.",
      mutability: "readOnly",
      subAttributes: [
        {
          name: "value",
          type: "string",
          description: "Identifier of the group.",
          caseExact: true,
          mutability: "readOnly",
        },
        {
          name: "$ref",
          type: "reference",
          description: "Address of the group.",
          caseExact: true,
          mutability: "readOnly",
          referenceTypes: ["Group"],
        },
        {
          name: "display",
          type: "string",
          description: "Name of the group.",
          mutability: "readOnly",
        },
        {
          name: "type",
          type: "string",
          description: "Whether the membership is the group's own or comes through a nested group.",
          canonicalValues: ["direct", "indirect"],
          mutability: "readOnly",
        },
      ],
    },
    {
      name: "entitlements",
      type: "complex",
      multiValued: true,
      description: "Things that the user has a right to.",
      subAttributes: [
        { name: "value", type: "string", description: "The entitlement." },
        { name: "display", type: "string", description: "Text shown for the value." },
        { name: "type", type: "string", description: "Label that tells what the value is for." },
        {
          name: "primary",
          type: "boolean",
          description: "Whether the value is the preferred one; true at most once.",
        },
      ],
    },
    {
      name: "roles",
      type: "complex",
      multiValued: true,
      description: "Roles of the user, such as 'Student'.",
      subAttributes: [
        { name: "value", type: "string", description: "The role." },
        { name: "display", type: "string", description: "Text shown for the value." },
        { name: "type", type: "string", description: "Label that tells what the value is for." },
        {
          name: "primary",
          type: "boolean",
          description: "Whether the value is the preferred one; true at most once.",
        },
      ],
    },
    {
      name: "x509Certificates",
      type: "complex",
      multiValued: true,
      description: "Certificates issued to the user.",
      subAttributes: [
        {
          name: "value",
          type: "binary",
          description: "One certificate, DER in base64.",
          caseExact: true,
        },
        { name: "display", type: "string", description: "Text shown for the value." },
        { name: "type", type: "string", description: "Label that tells what the value is for." },
        {
          name: "primary",
          type: "boolean",
          description: "Whether the value is the preferred one; true at most once.",
        },
      ],
    },
  ],
});

/** A user's place in an organization. */
export const ENTERPRISE_USER_SCHEMA = defineSchema({
  id: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
  name: "EnterpriseUser",
  description: "A user's place in an organization.",
  attributes: [
    { name: "employeeNumber", type: "string", description: "Number or code of the employee." },
    { name: "costCenter", type: "string", description: "Cost center that the user belongs to." },
    { name: "organization", type: "string", description: "Organization that the user belongs to." },
    { name: "division", type: "string", description: "Division that the user belongs to." },
    { name: "department", type: "string", description: "Department that the user belongs to." },
    {
      name: "manager",
      type: "complex",
      description: "The user's manager.",
      subAttributes: [
        {
          name: "value",
          type: "string",
          description: "Identifier of the manager's user.",
          caseExact: true,
        },
        {
          name: "$ref",
          type: "reference",
          description: "Address of the manager's user.",
          caseExact: true,
          referenceTypes: ["User"],
        },
        {
          name: "displayName",
          type: "string",
          description: "Name of the manager, set by the service.",
          mutability: "readOnly",
        },
      ],
    },
  ],
});

/** The resource type User at /Users. */
export const USER = defineResourceType({
  name: "User",
  endpoint: "/Users",
  schema: USER_SCHEMA,
  extensions: [ENTERPRISE_USER_SCHEMA],
});

/** User as the service answers with it: A person's account. */
export type User = ShapeOf<typeof USER_SCHEMA, readonly [typeof ENTERPRISE_USER_SCHEMA]>["Resource"];

/** User as it is sent: without what is readOnly. */
export type UserInput = ShapeOf<typeof USER_SCHEMA, readonly [typeof ENTERPRISE_USER_SCHEMA]>["Input"];

/** A group of users and of other groups. */
export const GROUP_SCHEMA = defineSchema({
  id: "urn:ietf:params:scim:schemas:core:2.0:Group",
  name: "Group",
  description: "A group of users and of other groups.",
  attributes: [
    {
      name: "displayName",
      type: "string",
      description: "Name under which the group is shown.",
      required: true,
    },
    {
      name: "members",
      type: "complex",
      multiValued: true,
      description: "Members of the group.",
      subAttributes: [
        {
          name: "value",
          type: "string",
          description: "Identifier of the member.",
          required: true,
          caseExact: true,
          mutability: "immutable",
        },
        {
          name: "$ref",
          type: "reference",
          description: "Address of the member.",
          caseExact: true,
          mutability: "immutable",
          referenceTypes: ["User", "Group"],
        },
        {
          name: "type",
          type: "string",
          description: "Resource type of the member.",
          canonicalValues: ["User", "Group"],
          mutability: "immutable",
        },
        {
          name: "display",
          type: "string",
          description: "Name of the member.",
          mutability: "immutable",
        },
      ],
    },
  ],
});

/** The resource type Group at /Groups. */
export const GROUP = defineResourceType({
  name: "Group",
  endpoint: "/Groups",
  schema: GROUP_SCHEMA,
});

/** Group as the service answers with it: A group of users and of other groups. */
export type Group = ShapeOf<typeof GROUP_SCHEMA>["Resource"];

/** Group as it is sent: without what is readOnly. */
export type GroupInput = ShapeOf<typeof GROUP_SCHEMA>["Input"];

/** A machine that somebody carries about. */
export const DEVICE_SCHEMA = defineSchema({
  id: "urn:example:params:scim:schemas:acme:1.0:Device",
  name: "Device",
  description: "A machine that somebody carries about.",
  attributes: [
    {
      name: "serial",
      type: "string",
      description: "As on its back.",
      required: true,
      uniqueness: "server",
    },
    { name: "weight", type: "decimal" },
    { name: "pin", type: "string", mutability: "writeOnly", returned: "never" },
    { name: "seenAt", type: "dateTime", mutability: "readOnly" },
    {
      name: "owners",
      type: "complex",
      multiValued: true,
      subAttributes: [
        { name: "value", type: "string" },
        { name: "primary", type: "boolean" },
      ],
    },
  ],
});

/** The schema urn:example:params:scim:schemas:extension:acme:1.0:Device. */
export const DEVICE_RADIO_SCHEMA = defineSchema({
  id: "urn:example:params:scim:schemas:extension:acme:1.0:Device",
  name: "DeviceRadio",
  attributes: [{ name: "channel", type: "integer" }],
});

/** The resource type Device at /Devices. */
export const DEVICE = defineResourceType({
  name: "Device",
  endpoint: "/Devices",
  schema: DEVICE_SCHEMA,
  extensions: [DEVICE_RADIO_SCHEMA],
});

/** Device as the service answers with it: A machine that somebody carries about. */
export type Device = ShapeOf<typeof DEVICE_SCHEMA, readonly [typeof DEVICE_RADIO_SCHEMA]>["Resource"];

/** Device as it is sent: without what is readOnly. */
export type DeviceInput = ShapeOf<typeof DEVICE_SCHEMA, readonly [typeof DEVICE_RADIO_SCHEMA]>["Input"];
