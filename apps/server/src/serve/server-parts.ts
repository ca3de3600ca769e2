/**
 * What a server is made of.
 * @module
 */
import type { Logger } from "pino";
import type { PeerReports } from "../metrics/metrics.ts";
import type { Notices } from "../notices/notices.ts";
import type { ServiceRegistries } from "../schemas/schema-registry.ts";
import type { Settings } from "../settings/table.ts";
import type { OpenedStore } from "../store/open-store.ts";

/** What a server is made of. */
export interface ServerParts {
  readonly settings: Settings;
  readonly log: Logger;
  readonly registries: ServiceRegistries;
  /** The store; it is closed when the server stops, and where it does not start. */
  readonly opened: OpenedStore;
  /** Where other processes serve the same port: what all of them have counted. Default: this process is alone. */
  readonly peers?: PeerReports | undefined;
}

/** What a server is made of, and where it tells what happens beside the requests. */
export interface NoticingParts extends ServerParts {
  readonly notices: Notices;
}
