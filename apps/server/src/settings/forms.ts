/**
 * Texts with a form of their own: addresses, tokens, keys.
 * @module
 */
import { BlockList, isIP, isIPv6 } from "node:net";
import { SWITCHES } from "@scim/core";
import {
  isTenantName,
  readSwitchFlips,
  TOKEN_FORM,
  tenantOfToken,
  type SecretKey,
  type SwitchFlip,
} from "@scim/tenancy";
import { NONE, OTHER } from "../metrics/label-values.ts";

/** Any text but an empty one. */
export function readText(text: string): string {
  if (text !== "") return text;
  throw new TypeError("must not be empty");
}

/** `~`, `~/x` and `~scim/x`: shells put a home folder in their place. */
const HOME = /^~[^/]*\/|^~$/;

/** A path as the system takes it. */
export function readPath(text: string): string {
  if (!HOME.test(text)) return readText(text);
  throw new TypeError(
    "must name the home folder in full, such as /home/scim: nothing but a shell puts it in the place of '~' " +
      "(a folder that is called so is ./~)",
  );
}

/** An absolute http or https address without user, query, fragment and the path of SCIM; its final slash goes. */
export function readBaseUrl(text: string): string {
  const url = readWebAddress(text);
  if (url.search !== "" || url.hash !== "") throw new TypeError("must have no query and no fragment");
  const base = url.href.replace(/\/+$/, "");
  if (base.endsWith("/scim/v2"))
    throw new TypeError("must not end in /scim/v2, which comes behind it by itself");
  return base;
}

/** An absolute http or https address. */
export function readHttpAddress(text: string): string {
  return readWebAddress(text).href;
}

function readWebAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new TypeError("must be an absolute address, such as https://id.example");
  }
  if (url.username !== "" || url.password !== "") throw new TypeError("must not hold a user or a password");
  return url;
}

/** A token of a tenant in the form that every token has. The text is never repeated. */
export function readToken(tenant: string): (text: string) => string {
  return (text) => {
    if (tenantOfToken(text) === tenant) return text;
    throw new TypeError(
      `must have the form ${TOKEN_FORM.replace("<tenant>", tenant)}; ` +
        `make one with: echo scim_${tenant}_$(head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=')`,
    );
  };
}

/** Shortest secret of a key, in bytes. */
const KEY_BYTES = 32;
/** Also as `base64` writes it. What else a text has would be passed over, and another key come of it. */
const BASE64 = /^[A-Za-z0-9_+/-]+={0,2}$/;

/** `id:secret` pairs, separated by commas; each id occurs once, each secret is base64url of 32 bytes or more. */
export function readSecretKeys(text: string): readonly SecretKey[] {
  const keys = text.split(",").map((pair) => {
    const colon = pair.indexOf(":");
    const id = pair.slice(0, colon).trim();
    // `base64` writes long ones in lines.
    const written = pair
      .slice(colon + 1)
      .replaceAll(/\r?\n/g, "")
      .trim();
    const secret = Buffer.from(BASE64.test(written) ? written : "", "base64url");
    if (colon > 0 && /^[A-Za-z0-9._-]{1,64}$/.test(id) && secret.length >= KEY_BYTES) return { id, secret };
    throw new TypeError(
      "must be id:secret,id:secret…, each secret at least 32 bytes as base64url; the first key signs",
    );
  });
  if (new Set(keys.map(({ id }) => id)).size === keys.length) return keys;
  throw new TypeError("must give each key an id of its own: what a key signed is told by its id");
}

/** Names of switches, separated by commas; a minus turns one off. None may be turned both on and off. */
export function readSwitches(text: string): readonly SwitchFlip[] {
  try {
    return readSwitchFlips(text.split(",").map((entry) => entry.trim()));
  } catch (cause) {
    const there = `there are ${Object.keys(SWITCHES).join(", ")}`;
    throw new TypeError(
      `must be names of switches separated by commas, none both on and off, such as require-version,-bare-token; ${there}`,
      { cause },
    );
  }
}

const ATTRIBUTE_PATH = /^(?:urn:[^\s,]+:)?[A-Za-z][\w$-]*(?:\.[A-Za-z$][\w$-]*)?$/i;

/** Attribute paths, separated by commas. */
export function readAttributePaths(text: string): readonly string[] {
  return text.split(",").map((entry) => {
    const path = entry.trim();
    if (ATTRIBUTE_PATH.test(path)) return path;
    throw new TypeError("must be attribute paths separated by commas, such as userName,emails.value");
  });
}

/** Tenants that metrics may name at most: each is a label of several series. */
const MOST_NAMED_TENANTS = 100;

/** Names of tenants that metrics may name, separated by commas. */
export function readLabelledTenants(text: string): ReadonlySet<string> {
  const names = new Set(text.split(",").map((entry) => entry.trim()));
  if (names.size > MOST_NAMED_TENANTS || ![...names].every(isTenantName)) {
    throw new TypeError(
      `must be at most ${MOST_NAMED_TENANTS} names of tenants separated by commas, such as acme,globex`,
    );
  }
  if (!names.has(OTHER) && !names.has(NONE)) return names;
  throw new TypeError(
    `must name neither '${OTHER}', as which all that are not named are counted, nor '${NONE}', as which nobody is`,
  );
}

/** Tells whether an address is that of a trusted proxy. */
export type ProxyTrust = (address: string) => boolean;

/** Addresses and CIDR ranges, separated by commas. */
export function readTrustedProxies(text: string): ProxyTrust {
  const trusted = new BlockList();
  for (const entry of text.split(",")) addRange(trusted, entry.trim());
  return (address) => trusted.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

function addRange(trusted: BlockList, entry: string): void {
  const [address = "", prefix, ...more] = entry.split("/");
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  const width = family === "ipv6" ? 128 : 32;
  const length = Number(prefix ?? width);
  const isPrefix = prefix === undefined || /^[0-9]{1,3}$/.test(prefix);
  if (isIP(address) === 0 || more.length > 0 || !isPrefix || length > width) {
    throw new TypeError("must be addresses or ranges separated by commas, such as 10.0.0.0/8,::1");
  }
  trusted.addSubnet(address, length, family);
}

/** Names of tools, separated by commas; a star stands for any characters. */
export function readToolNames(text: string): readonly string[] {
  const names = text.split(",").map((entry) => entry.trim());
  if (names.every((name) => /^[a-z0-9_*]{1,128}$/.test(name))) return names;
  throw new TypeError("must be names of tools separated by commas, such as scim_get_*,scim_query");
}

/** Origins of web pages, separated by commas. */
export function readWebOrigins(text: string): ReadonlySet<string> {
  const origins = text.split(",").map((entry) => readWebAddress(entry.trim()));
  if (origins.some(({ pathname, search, hash }) => pathname !== "/" || search !== "" || hash !== "")) {
    throw new TypeError("must be origins separated by commas, such as https://agents.example");
  }
  return new Set(origins.map(({ origin }) => origin));
}
