/**
 * Port of erasure: what it asks of a store.
 * @module
 */
import type { ChangeOrigin } from "@scim/core";
import type { Erasure, Subject } from "./erasure.ts";

/** What of a subject was removed, in rows. */
export interface ErasedRows {
  /** The resource itself, as far as it was still there. */
  readonly resources: number;
  /** Events whose content is gone: their position, kind and version stay. */
  readonly events: number;
  /** Other resources that held a copy, such as a display name beside a reference: the copy is gone, the id stays. */
  readonly copies: number;
  /** Entries of the request log. */
  readonly requests: number;
  /** Tokens that stood for the subject. */
  readonly tokens: number;
  /** Secrets of hashes in the audit log: those hashes mean nothing any more. */
  readonly secrets: number;
}

/** What an erasure is done with. */
export interface ErasureOrder {
  readonly subject: Subject;
  /** The present, UTC with milliseconds. */
  readonly at: string;
  /** Makes what no two versions share: resources that held a copy get a new version. */
  readonly newNonce: () => string;
}

/** Erasures of a store. */
export interface ErasureStore {
  /** Names of the types in which a live resource has the subject's id; of its type alone, where that is told. */
  liveTypes(subject: Subject): Promise<readonly string[]>;
  /**
   * Names of the types in which a resource has the subject's id, or had: live or deleted, or told of by the audit log, a secret or
   * an event.
   */
  types(subject: Subject): Promise<readonly string[]>;
  /** Names of all types of which a tenant has resources, or had. */
  tenantTypes(tenant: string): Promise<readonly string[]>;
  /** Whether anything is kept of the subject. */
  isKnown(subject: Subject): Promise<boolean>;
  /**
   * Notes that the erasure of a subject begins, at an instant. Until {@link ErasureStore.end}, no entry of the request log
   * that names it is written; where the erasure ends half-way, its rows may be gone, and this alone tells the id and the type.
   * @throws ScimError `unavailable` where the erasure of a resource of another type with that id has begun and not ended
   */
  begin(subject: Subject, at: string): Promise<void>;
  /**
   * Removes what is kept of a subject whose resource is deleted, and what others hold of it. Where its type is told, what is
   * of a resource of another type with that id stays; what others hold beside the id, and tokens that stand for it, go. More than once does no
   * harm; where it ends half-way it has to be done again, and {@link ErasureStore.ids} names the subject until then.
   */
  erase(order: ErasureOrder): Promise<ErasedRows>;
  /**
   * Removes entries of the request log that were being written when the erasure began; resolves to how many. The last
   * removal of an erasure: from then on none that names the subject is kept of a request that began before its end.
   */
  eraseLate(subject: Subject): Promise<number>;
  /** Notes that the erasure of a subject has ended, at an instant: what names it in requests that begin later is kept. */
  end(subject: Subject, at: string): Promise<void>;
  /** Subjects of a tenant whose erasure began before an instant and has not ended: it goes on still, or ended half-way. */
  begun(tenant: string, before: string): Promise<readonly Subject[]>;
  /**
   * Does what an erasure of a tenant had to leave for later, such as taking old content out of a log that others were reading
   * then, and forgets whom nobody holds entries of any more: those who were erased before an instant.
   */
  tidy(tenant: string, before: string): Promise<void>;
  /**
   * The ids of a tenant's resources, tombstones and audited resources, of those whom events are about or were asked for by, and of those
   * whose erasure has begun, some at a time; an id may come more than once.
   */
  ids(tenant: string): AsyncIterable<readonly string[]>;
  /** Keeps an entry of the list in the place of an older one, and tells it in the trail of administration. */
  add(erasure: Erasure, origin: ChangeOrigin): Promise<void>;
  /** The list of a tenant, by subject, behind one: at most `limit`. */
  list(tenant: string, after: string, limit: number): Promise<readonly Erasure[]>;
  /** Whether the list of a tenant has an entry of that subject that is as new, or newer. */
  has(erasure: Omit<Erasure, "key">): Promise<boolean>;
}
