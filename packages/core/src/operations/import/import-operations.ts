/**
 * What imports ask of a service.
 * @module
 */
import type { RequestContext } from "../../context.ts";
import type { ImportProgress } from "../../store/import-store.ts";
import type { ImportRequest, ImportRules, NewImports, PreparedImport } from "./import-request.ts";

/** Imports: what stores resources of a source. */
export interface ImportOperations {
  /**
   * Reads, checks and plans many resources, and hands them out to be written. Rules, uniqueness and hooks are those of
   * POST and PUT; what a source brings along is kept where asked for. It takes no precondition.
   * @throws ScimError `unavailable` where the store cannot be read now
   */
  prepareImport(context: RequestContext, request: ImportRequest): Promise<PreparedImport>;
  /**
   * Begins to import items that are taken for new ones, by the same rules. Null where the store takes resources one
   * after another.
   */
  importNew(context: RequestContext, rules: ImportRules): NewImports | null;
  /** Remembers the keys of items that an earlier run was done with, so that later ones are checked against them. */
  passImported(context: RequestContext, request: ImportRequest): void;
  /** How far a run has come; null where it has not begun, is forgotten, or the store keeps no runs. */
  importProgress(context: RequestContext, run: string): Promise<ImportProgress | null>;
  /** How many runs are not done whose names begin with a text; 0 where the store keeps none. */
  importsBegun(context: RequestContext, beginning: string): Promise<number>;
  /** Forgets a run: the same source begins anew. */
  forgetImport(context: RequestContext, run: string): Promise<void>;
}
