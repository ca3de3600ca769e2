/**
 * Makes the entries of events, each linked to the one before it. What it takes is plain data, besides the digest, so that entries are
 * made on whichever thread has time.
 * @module
 */
import type { ChangeOrigin, CollectionChange, FeedEvent } from "@scim/core";
import { canonicalJson } from "@scim/core/changes";
import { type AuditKeys, signingKey, type TextDigest } from "../keys.ts";
import { type ChangedState, changesText } from "./changes.ts";
import type { ChainedEntry } from "./entry.ts";
import type { AuditedAttributes } from "./sensitivity.ts";
import { type HashValue, type SecretOf, valueHasher, valuesKey } from "./subject-keys.ts";

/** An event whose entry is made. */
export interface EventToLink extends FeedEvent, Pick<ChangedState, "stateText"> {}

/** What entries are linked to, and made with. */
export interface LinkedTo {
  /** Hash of the entry before; null at the beginning of a chain. */
  readonly previous: string | null;
  /** Asked for each resource whose values are hashed. */
  readonly secretOf: SecretOf;
}

/**
 * Makes the entries of events that follow each other, in their order. Of a resource that was there before and after, `before` and
 * `after` of its event may leave out what is the same in both.
 */
export type LinkEvents = (
  tenant: string,
  to: LinkedTo,
  events: readonly EventToLink[],
) => readonly ChainedEntry[];

/** What the key of the service comes to in entries: plain data, and as secret as the key. */
export interface LinkKeys {
  /** Id of the key. */
  readonly id: string;
  /** What every value is hashed with, beside the secret of its resource. */
  readonly values: string;
}

/** What entries are made with. */
export interface Linking {
  readonly keys: LinkKeys;
  /** SHA-256. */
  readonly digest: TextDigest;
  /** The attributes of a resource type; null where it is not served any more. */
  readonly attributesOf: (tenant: string, type: string) => AuditedAttributes | null;
}

/**
 * The tenant whose log is the trail of administration. Its events tell states of tenants, connections and tokens: what
 * administrators look for, and nothing of the persons that the tenants hold.
 */
export const ADMIN_TRAIL = "admin";

/**
 * What the first key of a service comes to in entries.
 * @throws TypeError where there is no key
 */
export function linkKeys(keys: Pick<AuditKeys, "keys" | "hmac">): LinkKeys {
  return { id: signingKey(keys).id, values: valuesKey(keys) };
}

/** Makes what makes entries. */
export function createLink({ keys, digest, attributesOf }: Linking): LinkEvents {
  const keyText = JSON.stringify(keys.id);
  const underSecret = valueHasher(keys.values, digest);

  /** The secret is asked for where there is something to hash. */
  function hasherOf({ type, id }: FeedEvent, secretOf: SecretOf): HashValue {
    let hash: HashValue | null = null;
    return (path, json) => (hash ??= underSecret(secretOf(type, id)))(path, json);
  }

  /** Canonical JSON of the `AuditEntry` of an event: its members stand in their order. */
  function textOf(tenant: string, event: EventToLink, secretOf: SecretOf): string {
    const { position, at, connection, subject, origin, kind, type, id, collections } = event;
    const changes =
      tenant === ADMIN_TRAIL
        ? changesText(event, null, null)
        : changesText(event, attributesOf(tenant, type), hasherOf(event, secretOf));
    const who = `"key":${keyText},"kind":"${kind}","origin":${originText(origin)},"position":${position}`;
    const version = `{"after":${JSON.stringify(event.version)},"before":${JSON.stringify(event.versionBefore)}}`;
    return (
      `{"at":${JSON.stringify(at)},"changes":${changes},"collections":${collectionsText(collections)},` +
      `"connection":${JSON.stringify(connection)},"id":${JSON.stringify(id)},${who},` +
      `"subject":${JSON.stringify(subject)},"type":${JSON.stringify(type)},"version":${version}}`
    );
  }

  return (tenant, { previous, secretOf }, events) => {
    let last = previous;
    return events.map((event) => {
      const { position, at, type, id } = event;
      const text = textOf(tenant, event, secretOf);
      last = entryHash(digest, { tenant, previous: last, text });
      return { position, at, type, id, text, hash: last };
    });
  };
}

function originText(origin: ChangeOrigin | null): string {
  return origin === null ? "null" : canonicalJson({ ...origin });
}

function collectionsText(collections: readonly CollectionChange[]): string {
  return collections.length === 0 ? "[]" : canonicalJson(collections.map((change) => ({ ...change })));
}

/** What the hash of an entry covers. */
export interface Hashed {
  readonly tenant: string;
  readonly previous: string | null;
  /** The entry as canonical JSON. */
  readonly text: string;
}

/** The hash of an entry: SHA-256 of the canonical JSON of `{entry, previous, tenant}`. */
export function entryHash(digest: TextDigest, { tenant, previous, text }: Hashed): string {
  return digest(
    `{"entry":${text},"previous":${JSON.stringify(previous)},"tenant":${JSON.stringify(tenant)}}`,
  );
}
