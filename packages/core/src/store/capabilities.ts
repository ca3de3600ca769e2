/**
 * What a store can do with the resources of a type, where not every store can.
 * @module
 */
import type { ImportStore } from "./import-store.ts";
import type { ResourceStore } from "./port.ts";

/** The form of the ids of a resource type. */
export interface IdForm {
  /** Matches a whole id, from `^` to `$`, without the flags `g` and `y`. */
  readonly pattern: RegExp;
  /** The form in words, for the sentence "must be …": `a number`. */
  readonly words: string;
}

/** What can be done with the resources of a type. */
export interface TypeCapabilities {
  /** Whether writes compare the version that they expect. Without, resources have no version and no entity tag. */
  readonly versions: boolean;
  /** Whether `preview` answers. */
  readonly preview: boolean;
  /** Whether statements of an application run in the transaction of a write. */
  readonly statements: boolean;
  /** Whether long collections can be brought in by a stage before the write that takes them over. */
  readonly staging: boolean;
  /** Whether hashes of secrets are kept beside the resources (`ResourceStore.secrets`). */
  readonly secrets: boolean;
  /** Whether imports write the resources by `ResourceStore.imports`, where the store has it. Default true. */
  readonly imports?: boolean;
  /** Whether resources of the type are kept at all: a query over all types leaves out one of which none are. Default true. */
  readonly kept?: boolean;
  /**
   * Whether some of the references of a resource cost what they are, and not what all of them do: long collections are gone
   * through some at a time then, and else read as a whole. Default true.
   */
  readonly pagesReferences?: boolean;
  readonly ids: IdForm;
}

/** The form of the ids that our own stores keep: RFC 3986 unreserved characters. */
export const DEFAULT_ID_FORM: IdForm = {
  pattern: /^[A-Za-z0-9._~-]{1,128}$/,
  words: "a resource id: 1 to 128 letters, digits, '-', '.', '_' or '~'",
};

/** What a store can do that says nothing of it. */
export const DEFAULT_CAPABILITIES: TypeCapabilities = {
  versions: true,
  preview: true,
  statements: false,
  staging: true,
  secrets: false,
  ids: DEFAULT_ID_FORM,
};

/** What a store can do with the resources of a type. */
export function capabilitiesOf(store: ResourceStore, type: string): TypeCapabilities {
  return store.capabilities?.(type) ?? DEFAULT_CAPABILITIES;
}

/** What imports of a type are written by; undefined where each resource is written by itself. */
export function importsOf(store: ResourceStore, type: string): ImportStore | undefined {
  return capabilitiesOf(store, type).imports === false ? undefined : store.imports;
}

/** How many references of one resource of a type to ask for at once: so many, or all where some cost what all do. */
export function referencesAtOnce(store: ResourceStore, type: string, wanted: number): number {
  return capabilitiesOf(store, type).pagesReferences === false ? Number.MAX_SAFE_INTEGER : wanted;
}
