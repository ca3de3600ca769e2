/**
 * Validation of a whole User.
 * @module
 */
import { Ajv } from "ajv";
import { ENTERPRISE_USER_URN } from "@scim/schemas";
import { insideCore } from "../inside-core.ts";
import { sideBySide } from "../measure.ts";
import type { Report } from "../report.ts";
import { SAMPLE_USER } from "../sample-user.ts";
import { MANY, registryOfMany } from "../types/many-types.ts";

const text = { type: "string" };
const flag = { type: "boolean" };

function object(...names: readonly string[]) {
  return { type: "object", properties: Object.fromEntries(names.map((name) => [name, text])) };
}

function list(...names: readonly string[]) {
  const item = object("value", "display", "type", ...names);
  return { type: "array", items: { ...item, properties: { ...item.properties, primary: flag } } };
}

/** JSON Schema of a User as one would write it by hand. */
const JSON_SCHEMA = {
  type: "object",
  required: ["schemas", "userName"],
  properties: {
    schemas: { type: "array", items: text, minItems: 1 },
    ...object("externalId", "displayName", "nickName", "profileUrl", "title", "userType").properties,
    ...object("preferredLanguage", "locale", "timezone", "password").properties,
    userName: { type: "string", minLength: 1 },
    active: flag,
    name: object("formatted", "familyName", "givenName", "middleName", "honorificPrefix", "honorificSuffix"),
    emails: list(),
    phoneNumbers: list(),
    addresses: list("formatted", "streetAddress", "locality", "region", "postalCode", "country"),
    [ENTERPRISE_USER_URN]: {
      type: "object",
      properties: {
        ...object("employeeNumber", "costCenter", "organization", "division", "department").properties,
        manager: object("value", "$ref", "displayName"),
      },
    },
  },
};

/** Most that validating a User may take, in microseconds. */
const MOST_US = 5;

/** Measures the check of types alone, and with it the binding of names and the normal form of values. */
export function measureValidation(report: Report): void {
  const validate = new Ajv().compile(JSON_SCHEMA);
  const users = insideCore();
  const amongMany = insideCore(registryOfMany());
  const user = users.read(SAMPLE_USER);
  const times = sideBySide({
    check: () => {
      users.validate(user);
    },
    checkAmongMany: () => {
      amongMany.validate(user);
    },
    read: () => users.read(SAMPLE_USER),
    theirs: () => validate(SAMPLE_USER),
  });
  const side = (name: string, nanoseconds: number) => ({ name, value: nanoseconds, unit: "ns" as const });
  const ajv = side("ajv", times.theirs);
  report.compare("validate a User", side("@scim/core", times.check), ajv, 0.1);
  report.compare(
    "validate a User, names bound and normal form made",
    side("@scim/core", times.read),
    ajv,
    null,
  );
  report.compare(
    `validate a User beside ${MANY} custom resource types`,
    side("with them", times.checkAmongMany),
    side("without", times.check),
    null,
  );
  report.figure({ work: "validate a User", value: times.check / 1000, unit: "µs", most: MOST_US });
}
