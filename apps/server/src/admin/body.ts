/**
 * Bodies of the admin API: each member is read by its own rule, and one that nobody knows is refused.
 * @module
 */
import { isAdminScope, isScope, type ProfileName, type RequestRate, SCOPES, type Scope } from "@scim/core";
import { instantOf } from "@scim/events";
import { isJsonObject, ScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import {
  ADMIN_ROLES,
  type AdminGroup,
  type AdminGroups,
  type GuardChange,
  readSwitchFlips,
  type SwitchFlip,
} from "@scim/tenancy";
import type { FastifyRequest } from "fastify";
import { toldName } from "./told-name.ts";
import { PROFILE_NAMES } from "../settings/profile-names.ts";

/**
 * Reads the value of a member.
 * @throws TypeError saying what it must be
 */
export type ReadMember<Value> = (value: JsonValue) => Value;

/** How the members of a body are read, by name. */
export type BodyForm = Readonly<Record<string, ReadMember<unknown>>>;

/** What was read of a body; a member that was not sent is missing. */
export type ReadBody<Form extends BodyForm> = {
  readonly [Name in keyof Form]?: ReturnType<Form[Name]>;
};

/**
 * Reads a body.
 * @throws ScimError `invalidSyntax` where it is no object, `invalidValue` naming the member
 */
export function bodyOf<Form extends BodyForm>({ body }: FastifyRequest, form: Form): ReadBody<Form> {
  // What was parsed is JSON, and nothing where there was no body.
  const sent = (body === undefined ? {} : body) as JsonValue;
  if (!isJsonObject(sent)) throw new ScimError("invalidSyntax", "The body must be a JSON object.");
  return membersOf(sent, form);
}

function membersOf<Form extends BodyForm>(object: JsonObject, form: Form): ReadBody<Form> {
  const members = Object.entries(object).map(([name, value]) => [name, readMember(form, name, value)]);
  // Each name is one of the form, with what its reader gave.
  return Object.fromEntries(members) as ReadBody<Form>;
}

function readMember(form: BodyForm, name: string, value: JsonValue): unknown {
  const read = Object.hasOwn(form, name) ? form[name] : undefined;
  if (read === undefined) {
    throw new ScimError(
      "invalidValue",
      `There is no member '${toldName(name)}' here; there are ${Object.keys(form).join(", ") || "none"}.`,
    );
  }
  try {
    return read(value);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new ScimError("invalidValue", `Member '${name}': ${cause.message}.`, { cause });
  }
}

/**
 * A member that must be there.
 * @throws ScimError `invalidValue`
 */
export function required<Value>(name: string, value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw new ScimError("invalidValue", `The member '${name}' is missing.`);
}

/** Longest text of a body, in characters: that of a header field. What a text is for may bound it further. */
const LONGEST_TEXT = 8192;

/** Text. */
export const text: ReadMember<string> = (value) => {
  if (typeof value === "string" && value.length <= LONGEST_TEXT) return value;
  throw new TypeError(`it must be text of at most ${LONGEST_TEXT} characters`);
};

/** An instant, UTC with milliseconds. */
export const instant: ReadMember<string> = (value) => {
  const found = typeof value === "string" ? instantOf(value) : null;
  if (found !== null) return found;
  throw new TypeError("it must be an instant such as 2027-01-01T00:00:00Z");
};

/** What another rule reads, or null. */
export function orNull<Value>(read: ReadMember<Value>): ReadMember<Value | null> {
  return (value) => (value === null ? null : read(value));
}

/** One of some words. */
export function oneOf<Word extends string>(words: readonly Word[]): ReadMember<Word> {
  return (value) => {
    const found = words.find((word) => word === value);
    if (found !== undefined) return found;
    throw new TypeError(`it must be one of ${words.join(", ")}`);
  };
}

/** A list of texts. */
export const texts: ReadMember<readonly string[]> = (value) => {
  if (Array.isArray(value)) return value.map(text);
  throw new TypeError("it must be a list of texts");
};

/** A list of scopes. */
export const scopes: ReadMember<readonly Scope[]> = (value) =>
  texts(value).map((each) => {
    if (isScope(each)) return each;
    const there = SCOPES.filter((scope) => !isAdminScope(scope)).join(", ");
    throw new TypeError(`'${each}' is no scope; there are ${there}, and scim:read:User and the like`);
  });

const adminRole = oneOf(ADMIN_ROLES);
const tenantOrNull = orNull(text);

/** The roles that groups of an issuer give to administrators; what they may be is for the rules to say. */
export const groups: ReadMember<AdminGroups> = (value) => {
  const { claim, roles, ...others } = isJsonObject(value) ? value : {};
  if (typeof claim === "string" && Array.isArray(roles) && Object.keys(others).length === 0)
    return { claim, roles: roles.map(groupRole) };
  throw new TypeError('it must be {"claim": …, "roles": [{"group": …, "role": …, "tenant": …}]}');
};

function groupRole(value: JsonValue): AdminGroup {
  const { group, role, tenant, ...others } = isJsonObject(value) ? value : {};
  if (typeof group !== "string" || role === undefined || Object.keys(others).length > 0)
    throw new TypeError('each of roles must be {"group": …, "role": …, "tenant": …}');
  return { group, role: adminRole(role), tenant: tenantOrNull(tenant ?? null) };
}

/** True or false. */
export const flag: ReadMember<boolean> = (value) => {
  if (typeof value === "boolean") return value;
  throw new TypeError("it must be true or false");
};

/** A whole number. */
export const wholeNumber: ReadMember<number> = (value) => {
  if (Number.isSafeInteger(value)) return Number(value);
  throw new TypeError("it must be a whole number");
};

/** The name of a profile. */
export const profile: ReadMember<ProfileName> = oneOf(PROFILE_NAMES);

/** Switches: names, a minus turns off. */
export const switches: ReadMember<readonly SwitchFlip[]> = (value) => readSwitchFlips(texts(value));

/** A rate; its bounds are those of connections. */
export const rate: ReadMember<RequestRate> = (value) => {
  if (isJsonObject(value)) {
    const { perSecond, burst, ...others } = value;
    if (typeof perSecond === "number" && typeof burst === "number" && Object.keys(others).length === 0)
      return { perSecond, burst };
  }
  throw new TypeError('it must be {"perSecond": …, "burst": …}');
};

/** A whole number from 0 on. */
export function countUpTo(most: number = Number.MAX_SAFE_INTEGER): ReadMember<number> {
  return (value) => {
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= most) return value;
    throw new TypeError(`it must be a whole number from 0 to ${most}`);
  };
}

const readCount = countUpTo();

/** A list of whole numbers from 0 on. */
export const counts: ReadMember<readonly number[]> = (value) => {
  if (Array.isArray(value)) return value.map((each: JsonValue) => readCount(each));
  throw new TypeError("it must be a list of whole numbers");
};

/** A number; its bounds are those of what it is for. */
export const number: ReadMember<number> = (value) => {
  if (typeof value === "number") return value;
  throw new TypeError("it must be a number");
};

/** Numbers for some names, each a number or null: what is left out stays. */
export function numbersFor<Name extends string>(
  names: readonly Name[],
): ReadMember<Readonly<Partial<Record<Name, number | null>>>> {
  const name = oneOf(names);
  return (value) => {
    if (!isJsonObject(value)) throw new TypeError(`it must be an object with ${names.join(", ")}`);
    const read = Object.entries(value).map(([key, each]) => [name(key), orNull(number)(each)]);
    // Each key is one of the names, with what its value is.
    return Object.fromEntries(read) as Readonly<Partial<Record<Name, number | null>>>;
  };
}

const GUARD = {
  mode: oneOf(["off", "observe", "hold"] as const),
  atLeast: number,
  percent: number,
  window: number,
  named: texts,
};

/** What changes of a guard; its bounds are those of connections. */
export const guard: ReadMember<GuardChange> = (value) => {
  if (isJsonObject(value)) return membersOf(value, GUARD);
  throw new TypeError('it must be {"mode": …, "atLeast": …, "percent": …, "window": …, "named": […]}');
};
