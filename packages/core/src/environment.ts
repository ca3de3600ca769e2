/**
 * What the service is given from outside, so that the rules stay free of clocks, random numbers and hashing.
 * @module
 */
import type { SchemaRegistry } from "@scim/schemas";
import type { RequestContext } from "./context.ts";
import type { ServiceLimits } from "./limits.ts";
import type { ResourceHooks } from "./hooks/resource-hooks.ts";
import type { ModelCatalog } from "./model/catalog.ts";
import type { TakeTurn } from "./operations/turns.ts";
import type { TargetBinder } from "./patch/target-cache.ts";
import type { RecentTexts } from "./projection/recent-texts.ts";
import type { CursorSeal } from "./query/paging/cursor-seal.ts";
import type { FilterParser } from "./query/parser.ts";
import type { SecretSink } from "./secrets/secret-sink.ts";
import type { ResourceStore } from "./store/port.ts";
import type { Turns } from "./turns.ts";
import type { Validator } from "./validation/validator.ts";

/** Sources of time, identity and hashes. */
export interface Sources {
  /** The present instant, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
  /** A new resource id: unique over the whole service, never the text `bulkId`; our servers make UUIDv7. */
  readonly newId: () => string;
  /**
   * Makes what makes so many ids, and others behind them: whenever they are made, they stand where ids stand that are
   * made now. For ids that grow. Default: `newId`, so that they stand where they are made.
   */
  readonly reserveIds?: (count: number) => () => string;
  /** Five unpredictable bytes as base64url, for versions. */
  readonly newNonce: () => string;
  /** A collision-free digest of text (SHA-256) as base64url, of at least 16 bytes. */
  readonly digest: (text: string) => string;
}

/** A scheme that `ServiceProviderConfig` lists under `authenticationSchemes` (RFC 7643 §5). */
export interface AuthenticationScheme {
  readonly type: "oauth" | "oauth2" | "oauthbearertoken" | "httpbasic" | "httpdigest";
  readonly name: string;
  readonly description: string;
  readonly specUri?: string;
  readonly documentationUri?: string;
  readonly primary?: boolean;
}

/** An address of documentation for people, or what makes it of a request, such as from its `baseUrl`. */
export type DocumentationUri = string | ((context: RequestContext) => string);

/** URIs of the Security Events that are issued for a caller's tenant (RFC 9967 §4); null where none are. */
export type SecurityEventUris = (context: RequestContext) => Promise<readonly string[] | null>;

/** Everything that the operations work with. */
export interface Environment {
  readonly registry: SchemaRegistry;
  readonly catalog: ModelCatalog;
  /** Revision of the tenant's own schemas that the registry is; null where they have none. */
  readonly schemas: number | null;
  readonly store: ResourceStore;
  readonly sources: Sources;
  /** Null where secrets are dropped. */
  readonly secrets: SecretSink | null;
  readonly limits: ServiceLimits;
  readonly validator: Validator;
  readonly parser: FilterParser;
  /** Null where paging by cursor is not offered. */
  readonly cursorSeal: CursorSeal | null;
  /** Paths that filters in an address must not name, in lower case. */
  readonly sensitive: ReadonlySet<string>;
  readonly targets: TargetBinder;
  /** Representations that were answered lately. */
  readonly texts: RecentTexts;
  /** What the application says to changes, by resource type. */
  readonly hooks: ReadonlyMap<string, ResourceHooks>;
  /** Whether changes are only tried out. */
  readonly isTrial: boolean;
  /** Lets changes of one resource wait for each other. */
  readonly takeTurn: TakeTurn;
  /** The turns of requests that exchange long collections: each holds a stage of the store, which may be a thread of its own. */
  readonly stageTurns: Turns;
  readonly authenticationSchemes: readonly AuthenticationScheme[];
  readonly securityEvents: SecurityEventUris;
  /** Address of documentation for people, or null. */
  readonly documentationUri: DocumentationUri | null;
}
