/**
 * The form of URN that is recommended for extensions of one's own; others are accepted with a notice.
 * @module
 */
import { quote, type IssueList } from "./issue-list.ts";

const PREFIX = "urn:example:params:scim:schemas:extension:";
/** What follows the prefix: company, version N.N or N.N.N, resource type. */
const REST = /^[\w-]+:\d+\.\d+(?:\.\d+)?:[A-Za-z][\w-]*$/;
/** Names that the IETF gives (RFC 7643 §10). */
const IETF = "urn:ietf:params:scim:schemas:";

/** Notes the URN of a schema that has the prefix of extensions, and not their form. */
export function noteExtensionForm(urn: string, path: string, issues: IssueList): void {
  if (startsWith(urn, PREFIX) && !REST.test(urn.slice(PREFIX.length))) {
    issues.note(path, `should be ${PREFIX}<company>:<version>:<Type> with a version such as 1.0 or 1.0.0`);
  }
}

/** Notes the URN of an extension bound to a resource type, where it is neither recommended nor the IETF's. */
export function noteForeignExtension(
  { urn, type }: { readonly urn: string; readonly type: string },
  path: string,
  issues: IssueList,
): void {
  if (startsWith(urn, PREFIX) || startsWith(urn, IETF)) return;
  issues.note(
    path,
    `${quote(urn)} is accepted; recommended for an extension is ${PREFIX}<company>:<version>:<Type>, ` +
      `such as ${PREFIX}acme:1.0:${type}`,
  );
}

function startsWith(urn: string, prefix: string): boolean {
  return urn.slice(0, prefix.length).toLowerCase() === prefix;
}
