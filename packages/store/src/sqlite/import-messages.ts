/**
 * What the thread that writes imports is asked, and what it answers: plain data.
 * @module
 */
import type { WriteAllResult } from "@scim/core";
import type { Bulk } from "../imports/bulk.ts";

/** What the thread works on. */
export interface ImportThreadSettings {
  /** Path of the database file. */
  readonly path: string;
  /** Milliseconds after which a write gives up waiting for another process. */
  readonly busyTimeout: number;
}

/** Resources to write. */
export interface ImportRequestMessage {
  readonly tenant: string;
  readonly connection: string;
  readonly bulk: Bulk;
}

/** What came of it. */
export type ImportReply =
  | { readonly kind: "done"; readonly result: WriteAllResult }
  | { readonly kind: "failed"; readonly message: string };
