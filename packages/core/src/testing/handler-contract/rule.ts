/**
 * The form of a rule that handlers keep.
 * @module
 */
import type { OpenSubject } from "./subject.ts";

/** A rule of handlers. */
export interface HandlerRule {
  /** Stable: `version/one-wins`. */
  readonly rule: string;
  /** What must hold, as a sentence. */
  readonly name: string;
  /** Why the rule says nothing of this handler; null where it has to keep it. */
  readonly unsupported?: (opened: OpenSubject) => string | null;
  /**
   * Tries the rule out.
   * @returns what of it the handler does not support, in words; nothing where it supports all
   * @throws ContractViolation where the rule does not hold
   */
  readonly run: (opened: OpenSubject) => Promise<string | void>;
}

/** Says why a handler that compares no versions has none. */
export function withoutVersions({ handler }: OpenSubject): string | null {
  return handler.comparesVersions
    ? null
    : "the handler compares no versions: resources of the type have no entity tag";
}

/** Says why a handler cannot try changes out. */
export function withoutPreviews({ handler }: OpenSubject): string | null {
  return handler.previews === true
    ? null
    : "the handler tries no changes out: dry runs of the type are answered with 501";
}
