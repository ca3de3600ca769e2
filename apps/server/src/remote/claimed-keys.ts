/**
 * What the records of a file are known by, so that of two with one key the first counts, as in an import into the
 * database: else both would be made, or each would take the resource of the other in every run.
 * @module
 */
import { SeenKeys } from "@scim/core";
import type { Match } from "./matched-resource.ts";

/** A record, as far as it is told from others. */
export interface Claimant {
  /** Name of its resource type. */
  readonly type: string;
  readonly matches: readonly Match[];
}

/** What comes of a claim. */
export type Claim =
  | {
      /** The number of the first record with the same name, whatever both mean; null for none. */
      readonly namesake: number | null;
      /** Why the record is not taken where no `externalId` finds what it means; null where it is. */
      readonly refusal: string | null;
    }
  /** Why the record is not taken: one before it has its key. */
  | { readonly reason: string };

/** The keys of the records so far. */
export class ClaimedKeys {
  readonly #seen = new SeenKeys();

  /** Claims the keys of a record, which is numbered from 1. */
  claim({ type, matches }: Claimant, number: number): Claim {
    let reason: string | null = null;
    for (const match of matches) {
      if (match.isName) continue;
      const first = this.#seen.add(textOf(type, match), number);
      if (first !== null) reason ??= `Record ${first} has the same value of attribute '${match.path}'.`;
    }
    if (reason !== null) return { reason };
    const name = matches.find(({ isName }) => isName);
    if (name === undefined) return { namesake: null, refusal: null };
    return this.#claimName({ type, name, isAlone: matches.length === 1 }, number);
  }

  /** Of a record that goes by its name alone and another with that name, the first counts. */
  #claimName(
    { type, name, isAlone }: { readonly type: string; readonly name: Match; readonly isAlone: boolean },
    number: number,
  ): Claim {
    const text = textOf(type, name);
    const means = (first: number): string =>
      `Record ${first} means the same ${type} by attribute '${name.path}': give both an externalId where they are two.`;
    const namesake = this.#seen.add(`name ${text}`, number);
    if (isAlone && namesake !== null) return { reason: means(namesake) };
    if (isAlone) this.#seen.add(`name alone ${text}`, number);
    const alone = isAlone ? null : this.#seen.find(`name alone ${text}`);
    return { namesake, refusal: alone === null ? null : means(alone) };
  }
}

function textOf(type: string, { path, key }: Match): string {
  return JSON.stringify([type, path, key]);
}
