/**
 * The User schema (RFC 7643 §4.1 and §8.7.1, with its verified errata).
 * @module
 */
import { defineSchema } from "../schema.ts";
import { USER_URN } from "../urns.ts";

const DISPLAY = { name: "display", type: "string", description: "Text shown for the value." } as const;
const TYPE = {
  name: "type",
  type: "string",
  description: "Label that tells what the value is for.",
} as const;
const PRIMARY = {
  name: "primary",
  type: "boolean",
  description: "Whether the value is the preferred one; true at most once.",
} as const;

/**
 * A user account (RFC 7643 §4.1).
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7643#section-4.1 RFC 7643 §4.1}
 */
export const USER_SCHEMA = defineSchema({
  id: USER_URN,
  name: "User",
  description: "A person's account.",
  attributes: [
    {
      name: "userName",
      type: "string",
      required: true,
      uniqueness: "server",
      description: "Name that the user signs in with.",
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
        { name: "honorificPrefix", type: "string", description: "Title before the name, such as 'Dr.'." },
        { name: "honorificSuffix", type: "string", description: "Suffix after the name, such as 'III'." },
      ],
    },
    { name: "displayName", type: "string", description: "Name under which the user is shown." },
    { name: "nickName", type: "string", description: "Casual name of the person." },
    {
      name: "profileUrl",
      type: "reference",
      referenceTypes: ["external"],
      caseExact: true,
      description: "Address of the user's profile page.",
    },
    { name: "title", type: "string", description: "Job title, such as 'Vice President'." },
    { name: "userType", type: "string", description: "Relation to the organization, such as 'Contractor'." },
    {
      name: "preferredLanguage",
      type: "string",
      description: "Languages that the user prefers, written as in Accept-Language.",
    },
    { name: "locale", type: "string", description: "Language tag for dates, numbers and currency." },
    { name: "timezone", type: "string", description: "Time zone by its IANA name." },
    { name: "active", type: "boolean", description: "Whether the account may be used." },
    {
      name: "password",
      type: "string",
      mutability: "writeOnly",
      returned: "never",
      description: "Password to set; no answer shows it.",
    },
    {
      name: "emails",
      type: "complex",
      multiValued: true,
      description: "E-mail addresses.",
      subAttributes: [
        { name: "value", type: "string", description: "The e-mail address." },
        DISPLAY,
        { ...TYPE, canonicalValues: ["work", "home", "other"] },
        PRIMARY,
      ],
    },
    {
      name: "phoneNumbers",
      type: "complex",
      multiValued: true,
      description: "Telephone numbers.",
      subAttributes: [
        { name: "value", type: "string", description: "The number, best as a 'tel' URI." },
        DISPLAY,
        { ...TYPE, canonicalValues: ["work", "home", "mobile", "fax", "pager", "other"] },
        PRIMARY,
      ],
    },
    {
      name: "ims",
      type: "complex",
      multiValued: true,
      description: "Addresses for instant messages.",
      subAttributes: [
        { name: "value", type: "string", description: "The address at the messaging service." },
        DISPLAY,
        { ...TYPE, canonicalValues: ["aim", "gtalk", "icq", "xmpp", "msn", "skype", "qq", "yahoo"] },
        PRIMARY,
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
          referenceTypes: ["external"],
          caseExact: true,
          description: "Address of the image file.",
        },
        DISPLAY,
        { ...TYPE, canonicalValues: ["photo", "thumbnail"] },
        PRIMARY,
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
        { name: "country", type: "string", description: "Country by its two letters of ISO 3166-1." },
        { ...TYPE, canonicalValues: ["work", "home", "other"] },
        PRIMARY,
      ],
    },
    {
      name: "groups",
      type: "complex",
      multiValued: true,
      mutability: "readOnly",
      description: "Groups that the user is a member of, worked out by the service.",
      subAttributes: [
        {
          name: "value",
          type: "string",
          caseExact: true,
          mutability: "readOnly",
          description: "Identifier of the group.",
        },
        {
          name: "$ref",
          type: "reference",
          referenceTypes: ["Group"],
          caseExact: true,
          mutability: "readOnly",
          description: "Address of the group.",
        },
        { name: "display", type: "string", mutability: "readOnly", description: "Name of the group." },
        {
          name: "type",
          type: "string",
          canonicalValues: ["direct", "indirect"],
          mutability: "readOnly",
          description: "Whether the membership is the group's own or comes through a nested group.",
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
        DISPLAY,
        TYPE,
        PRIMARY,
      ],
    },
    {
      name: "roles",
      type: "complex",
      multiValued: true,
      description: "Roles of the user, such as 'Student'.",
      subAttributes: [{ name: "value", type: "string", description: "The role." }, DISPLAY, TYPE, PRIMARY],
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
          caseExact: true,
          description: "One certificate, DER in base64.",
        },
        DISPLAY,
        TYPE,
        PRIMARY,
      ],
    },
  ],
});
