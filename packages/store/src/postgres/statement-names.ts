/**
 * Names that statements are prepared under, for all connections of a store.
 *
 * A pooler that was not told to keep names leads a connection to another session with each transaction, where a name may
 * stand for what another client prepared. So a name is a digest of its text: whoever finds the name finds the text that it
 * means. Where a name is missing, or there already, statements go without names from then on.
 * @module
 */
import { hash } from "node:crypto";

/** The names of a store's statements. */
export class StatementNames {
  readonly #onUnkept: () => void;
  #areUsed: boolean;

  /**
   * @param areUsed whether statements have names at all
   * @param onUnkept told once, when names turn out not to be kept
   */
  constructor(areUsed: boolean, onUnkept: () => void = () => undefined) {
    this.#areUsed = areUsed;
    this.#onUnkept = onUnkept;
  }

  /** Whether statements are prepared under names now. */
  get areUsed(): boolean {
    return this.#areUsed;
  }

  /** The name of a statement. */
  of(text: string): string {
    return `scim_${hash("sha256", text, "base64url")}`;
  }

  /** Gives names up. */
  giveUp(): void {
    if (!this.#areUsed) return;
    this.#areUsed = false;
    this.#onUnkept();
  }
}
