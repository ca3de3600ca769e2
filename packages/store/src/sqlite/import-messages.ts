/**
 * What the thread that writes imports is asked, and what it answers: plain data.
 * @module
 */
import type { ImportStep, WriteAllResult } from "@scim/core";
import type { BulkGroup } from "../imports/bulk.ts";

/** What the thread works on. */
export interface ImportThreadSettings {
  /** Path of the database file. */
  readonly path: string;
  /** Milliseconds after which a write gives up waiting for another process. */
  readonly busyTimeout: number;
}

/** New resources that one import gathers, or the request to write what was gathered. */
export type ImportRequestMessage =
  | { readonly kind: "rows"; readonly sender: number; readonly groups: readonly BulkGroup[] }
  | {
      readonly kind: "write";
      readonly sender: number;
      readonly tenant: string;
      readonly connection: string;
      readonly step: ImportStep | null;
    };

/** That a write has begun, what came of it, and that what was written is on the disk, or may not be. */
export type ImportReply =
  | { readonly kind: "begun" }
  /** `changed`: rows of tables, staged ones among them. Where something was written, `flushed` or `lost` comes next but `begun`. */
  | { readonly kind: "done"; readonly result: WriteAllResult; readonly changed: number }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "flushed" }
  | { readonly kind: "lost"; readonly message: string };
