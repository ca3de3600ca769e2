/**
 * The chain of a tenant's audit entries: each hash covers the entry, the hash before it and the tenant, so that none
 * can be changed, removed or moved without those behind it telling.
 * @module
 */
import {
  canonicalJson,
  type ChangeOrigin,
  type CollectionChange,
  type FeedEvent,
  type ModelCatalog,
} from "@scim/core";
import { type AuditKeys, signingKey, type TextDigest } from "../keys.ts";
import { type ChangedState, changesText } from "./changes.ts";
import type { ChainedEntry } from "./entry.ts";
import { modelOrNull } from "./sensitivity.ts";
import { type HashValue, type SecretOf, valueHasher } from "./subject-keys.ts";

/** Where a chain has come to. */
export interface ChainEnd {
  readonly position: number;
  readonly hash: string;
}

/** An event whose entry is made. */
export interface EventToLink extends FeedEvent, Pick<ChangedState, "stateText"> {}

/** Makes entries of events. */
export interface AuditChain {
  /**
   * The entries of events that follow each other, in their order. Of a resource that was there before and after, `before`
   * and `after` of its event may leave out what is the same in both.
   */
  link(tenant: string, to: LinkedTo, events: readonly EventToLink[]): readonly ChainedEntry[];
  /** Sees to it that what is known of a tenant's attributes is present, before events of it are linked. Default: it always is. */
  readonly prepare?: ((tenant: string) => Promise<void>) | undefined;
  /** Makes the secret of a resource that has none yet. */
  readonly newSecret: () => string;
}

/** What entries are linked to, and made with. */
export interface LinkedTo {
  /** Hash of the entry before; null at the beginning of a chain. */
  readonly previous: string | null;
  /** Asked for each resource whose values are hashed. */
  readonly secretOf: SecretOf;
}

/** What a chain is made with. */
export interface AuditChainOptions extends AuditKeys {
  /** Tells which attributes hold personal values: for all tenants, or of each as it was prepared. */
  readonly catalog: ModelCatalog | ((tenant: string) => ModelCatalog);
  /** Makes ready what `catalog` tells of a tenant. Default: nothing. */
  readonly prepare?: ((tenant: string) => Promise<void>) | undefined;
  /** Makes a secret of at least 128 random bits: 22 characters of base64url, or more, and always as many. */
  readonly newSecret: () => string;
}

/**
 * The tenant whose log is the trail of administration. Its events tell states of tenants, connections and tokens: what
 * administrators look for, and nothing of the persons that the tenants hold.
 */
export const ADMIN_TRAIL = "admin";

/**
 * Makes the chain of a service.
 *
 * @example
 * const audit = createAuditChain({ keys, hmac, digest, newSecret, catalog: createModelCatalog(registry) });
 * const store = await openSqliteStore({ path, audit });
 * @throws TypeError where there is no key
 */
export function createAuditChain(options: AuditChainOptions): AuditChain {
  const { digest, catalog, newSecret, prepare } = options;
  const catalogOf = typeof catalog === "function" ? catalog : () => catalog;
  const keyText = JSON.stringify(signingKey(options).id);

  const underSecret = valueHasher(options);

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
        : changesText(event, modelOrNull(catalogOf(tenant), type), hasherOf(event, secretOf));
    const who = `"key":${keyText},"kind":"${kind}","origin":${originText(origin)},"position":${position}`;
    const version = `{"after":${JSON.stringify(event.version)},"before":${JSON.stringify(event.versionBefore)}}`;
    return (
      `{"at":${JSON.stringify(at)},"changes":${changes},"collections":${collectionsText(collections)},` +
      `"connection":${JSON.stringify(connection)},"id":${JSON.stringify(id)},${who},` +
      `"subject":${JSON.stringify(subject)},"type":${JSON.stringify(type)},"version":${version}}`
    );
  }

  return {
    newSecret,
    prepare,
    link: (tenant, { previous, secretOf }, events) => {
      let last = previous;
      return events.map((event) => {
        const { position, at, type, id } = event;
        const text = textOf(tenant, event, secretOf);
        last = entryHash(digest, { tenant, previous: last, text });
        return { position, at, type, id, text, hash: last };
      });
    },
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
