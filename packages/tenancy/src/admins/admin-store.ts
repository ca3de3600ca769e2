/**
 * What the service asks of a store of administrators who sign in elsewhere.
 * @module
 */
import type { AdminAct } from "../acts/admin-act.ts";
import type { AdminIdentity, AdminIssuer } from "./admin-identity.ts";

/** What is removed: as it was read, so that what was changed meanwhile stays. */
export type Revised = Pick<AdminIdentity, "id" | "revision">;

/** Whom a JWT names. */
export type AdminSubject = Pick<AdminIdentity, "issuer" | "subject">;

/**
 * Port of issuers and administrators, all of them of the tenant `admin`. An act that is given is told in the transaction
 * of the write, or neither is kept.
 */
export interface AdminStore {
  /** All issuers in the order in which they were made. */
  listIssuers(): Promise<readonly AdminIssuer[]>;
  /** Issuers whose JWTs have this `iss`, whatever their state. */
  findIssuers(issuer: string): Promise<readonly AdminIssuer[]>;
  /**
   * Adds an issuer. Resolves to false where there is one of this `iss` and audience, or as many as may be.
   * @param most how many issuers there may be, this one among them; default as many as come
   */
  addIssuer(issuer: AdminIssuer, act?: AdminAct, most?: number): Promise<boolean>;
  /** Writes an issuer with its new revision. Resolves to false where the stored one has not the revision `before`. */
  replaceIssuer(issuer: AdminIssuer, before: number, act?: AdminAct): Promise<boolean>;
  /** Removes an issuer. Resolves to false where it has another revision, or administrators sign in by it. */
  removeIssuer(issuer: Revised, act?: AdminAct): Promise<boolean>;

  /** All administrators in the order in which they were made. */
  listIdentities(): Promise<readonly AdminIdentity[]>;
  findIdentity(subject: AdminSubject): Promise<AdminIdentity | null>;
  /**
   * Adds an administrator. Resolves to false where there is no such issuer, this subject of it is one already, or there are
   * as many as may be.
   * @param most how many there may be over all issuers, this one among them; default as many as come
   */
  addIdentity(identity: AdminIdentity, act?: AdminAct, most?: number): Promise<boolean>;
  /** Writes an administrator with a new revision; its last use stays. Resolves to false where the stored one has not the revision `before`. */
  replaceIdentity(identity: AdminIdentity, before: number, act?: AdminAct): Promise<boolean>;
  /** Notes that an administrator was there, unless that was noted at `before` or later. Who is gone is nobody. */
  noteUse(id: string, use: { readonly at: string; readonly before: string }): Promise<void>;
  /** Removes an administrator. Resolves to false where it has another revision. */
  removeIdentity(identity: Revised, act?: AdminAct): Promise<boolean>;
  /**
   * Whether an owner can sign in: one that has not ended, by an issuer that is active.
   * @param at the present, UTC with milliseconds
   */
  hasOwner(at: string): Promise<boolean>;
}
