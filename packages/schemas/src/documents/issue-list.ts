/**
 * Collects what is wrong with a document, up to a bound.
 * @module
 */
import type { DocumentIssue } from "./schema-document-error.ts";

/** Issues kept of one document; a document with more is refused all the same. */
const MAX_ISSUES = 100;
/** Characters of a text from a document that a message repeats. */
const MAX_QUOTED = 120;

/** The issues of one document, and the notices: what is allowed, but would better be otherwise. */
export class IssueList {
  readonly #issues: DocumentIssue[] = [];
  readonly #notices: DocumentIssue[] = [];

  /** Notes an issue; past 100 nothing is noted any more. */
  add(path: string, message: string): void {
    if (!this.full) this.#issues.push({ path, message });
  }

  /** Notes what is no fault, but better told; past 100 nothing is noted any more. */
  note(path: string, message: string): void {
    if (this.#notices.length < MAX_ISSUES) this.#notices.push({ path, message });
  }

  /** Whether no further issue is kept, so that reading on is no use. */
  get full(): boolean {
    return this.#issues.length >= MAX_ISSUES;
  }

  get all(): readonly DocumentIssue[] {
    return this.#issues;
  }

  get notices(): readonly DocumentIssue[] {
    return this.#notices;
  }

  get empty(): boolean {
    return this.#issues.length === 0;
  }
}

/** A text from a document as a message may show it: in quotes, escaped, and cut after 120 characters. */
export function quote(text: string): string {
  return text.length > MAX_QUOTED ? `${JSON.stringify(text.slice(0, MAX_QUOTED))}…` : JSON.stringify(text);
}
