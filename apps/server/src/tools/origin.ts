/**
 * Which web pages may call the tools: a page that a browser shows could otherwise reach a server on the same machine
 * (DNS rebinding).
 * @module
 */
import { ScimError } from "@scim/schemas";

/**
 * Refuses a request that a browser sends for a page of another origin. Who is no browser sends none.
 * @throws ScimError `forbidden`
 */
export function requireOrigin(
  origin: string | undefined,
  { own, allowed }: { readonly own: string; readonly allowed: ReadonlySet<string> | null },
): void {
  if (origin === undefined || allowed?.has(origin) === true) return;
  if (origin === new URL(own).origin) return;
  throw new ScimError(
    "forbidden",
    "Pages of this origin may not call the tools. The setting 'tools.origins' lists those that may.",
  );
}
