/**
 * A User with about as many attributes as an identity provider sends.
 * @module
 */
import { ENTERPRISE_USER_URN, USER_URN } from "@scim/schemas";

/** A User as a client sends it. */
export const SAMPLE_USER = {
  schemas: [USER_URN, ENTERPRISE_USER_URN],
  externalId: "701984",
  userName: "bjensen@example.com",
  name: {
    formatted: "Ms. Barbara J Jensen, III",
    familyName: "Jensen",
    givenName: "Barbara",
    middleName: "Jane",
    honorificPrefix: "Ms.",
    honorificSuffix: "III",
  },
  displayName: "Babs Jensen",
  nickName: "Babs",
  emails: [
    { value: "bjensen@example.com", type: "work", primary: true },
    { value: "babs@jensen.org", type: "home" },
  ],
  addresses: [
    {
      streetAddress: "100 Universal City Plaza",
      locality: "Hollywood",
      region: "CA",
      postalCode: "91608",
      country: "US",
      type: "work",
      primary: true,
    },
  ],
  phoneNumbers: [
    { value: "tel:+1-555-555-5555", type: "work" },
    { value: "tel:+1-555-555-4444", type: "mobile" },
  ],
  userType: "Employee",
  title: "Tour Guide",
  preferredLanguage: "en-US",
  locale: "en-US",
  timezone: "America/Los_Angeles",
  active: true,
  [ENTERPRISE_USER_URN]: {
    employeeNumber: "701984",
    costCenter: "4130",
    organization: "Universal Studios",
    division: "Theme Park",
    department: "Tour Operations",
    manager: { value: "26118915-6090-4610-87e4-49d8ca9f808d" },
  },
};
