/**
 * What an open database offers, whichever it is.
 * @module
 */
import type { EventFeed, ResourceStore } from "@scim/core";
import type { ScimError } from "@scim/schemas";
import type {
  AuditStore,
  ErasureStore,
  GuardStore,
  ReceiverStore,
  RequestLogStore,
  SigningKeyStore,
} from "@scim/events";
import type {
  AdminStore,
  AdminTrail,
  ClientStore,
  ConnectionStore,
  DocumentStore,
  TenantStore,
  TokenStore,
} from "@scim/tenancy";
import type { DerivedRows } from "./derived/derived-rows.ts";
import type { WaitingEvents } from "./events/waiting-events.ts";
import type { ReceiverBacklog } from "./receivers/backlogs.ts";
import type { StoreIndexes } from "./indexes/keeper.ts";
import type { SecretStore } from "./secrets/secret-store.ts";
import type { CommitListener, StoreLoad } from "./load.ts";

/** An open store. */
export interface Store {
  readonly resources: ResourceStore;
  /** Which attributes have an index, and how far each is built. */
  readonly indexes: StoreIndexes;
  /** Compares indexes, unique values and counters with resources, and makes them right. */
  readonly derived: DerivedRows;
  /** Hashes secrets of resources and verifies them: the sink of a service that keeps some. */
  readonly secrets: SecretStore;
  readonly tokens: TokenStore;
  readonly tenants: TenantStore;
  /** Schema and ResourceType documents of tenants. */
  readonly documents: DocumentStore;
  readonly connections: ConnectionStore;
  /** OAuth clients, their credentials and access tokens. */
  readonly clients: ClientStore;
  /** Administrators who sign in by an issuer, and those issuers. */
  readonly admins: AdminStore;
  /** Tells what administrators do beside tenants, connections and tokens. */
  readonly trail: AdminTrail;
  readonly events: EventFeed;
  /** The audit log. Entries come into it where the store was opened with a chain, and gives positions. */
  readonly audit: AuditStore;
  /** Takes what is kept of a person out of all tables, and lists who was erased. */
  readonly erasures: ErasureStore;
  /** What clients sent and were answered. */
  readonly requests: RequestLogStore;
  /** What guards of connections count, and what they hold. */
  readonly guard: GuardStore;
  /** Who is told of events, and what was set aside for them. */
  readonly receivers: ReceiverStore;
  /** The keys that sign Security Event Tokens. */
  readonly signingKeys: SigningKeyStore;
  /** How many events wait for their position, over all tenants: many, or old ones, say that readers are late. */
  waitingEvents(): Promise<WaitingEvents>;
  /** Changes that guards hold and nobody has decided on, by tenant; those that have none are left out. */
  heldChanges(): Promise<ReadonlyMap<string, number>>;
  /** How far every receiver of events is behind. */
  backlogs(): Promise<readonly ReceiverBacklog[]>;
  /** What this process does on the database now, and what waits for it. */
  load(): StoreLoad;
  /**
   * Tells of each transaction in which writes shared a flush to the disk. On PostgreSQL each write has a transaction of
   * its own, and nothing is told.
   * @returns what ends it
   */
  onCommit(listener: CommitListener): () => void;
  /**
   * Resolves when the database answers, has the schema of this program, and takes writes. A file is read anew, and a row is written
   * to it and taken back; a server is asked whether it only reads. Where it refused a write of this process because it is full, another is
   * tried that reaches the disk.
   * @throws ScimError `unavailable` with the reason
   */
  check(): Promise<void>;
  /**
   * Tries whether the database takes writes, now and by this process; nothing of it stays.
   * @returns what kept it from writing for now, such as a lock; null where it wrote
   * @throws ScimError `unavailable` with the reason where it is full or read-only
   */
  tryWrite(): Promise<ScimError | null>;
  /** Takes no more writes, finishes those under way, ends reads that take long (ScimError `unavailable`), and closes the database. */
  close(): Promise<void>;
}
