/**
 * Which web pages may call the tools: a page that a browser shows could otherwise reach a server on the same machine
 * (DNS rebinding). Those that may are answered as browsers ask (CORS, Fetch §3.3).
 * @module
 */
import { ScimError } from "@scim/schemas";

/** The origins that may call. */
export interface Origins {
  /** Address of the server. */
  readonly own: string;
  /** Those of the setting; null for none. */
  readonly allowed: ReadonlySet<string> | null;
}

/**
 * The headers that let a page read the answer; none for the server's own, and for who is no browser and tells no origin.
 * @throws ScimError `forbidden` for a page of any other origin
 */
export function corsHeaders(
  origin: string | undefined,
  { own, allowed }: Origins,
): Readonly<Record<string, string>> {
  if (origin === undefined || origin === new URL(own).origin) return {};
  if (allowed?.has(origin) === true) {
    return {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "Authorization, Content-Type, Accept, MCP-Protocol-Version",
      "access-control-expose-headers": "WWW-Authenticate, Retry-After",
    };
  }
  throw new ScimError(
    "forbidden",
    "Pages of this origin may not call the tools. The setting 'tools.origins' lists those that may.",
  );
}
