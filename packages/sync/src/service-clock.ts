/**
 * The clock of a service.
 * @module
 */
import { ServiceError, type ScimClient } from "@scim/client";

/** What a service's clock says (RFC 9110 §6.6.1), in milliseconds since 1970; null where it does not tell. */
export async function instantOf(client: ScimClient, signal: AbortSignal | undefined): Promise<number | null> {
  try {
    const { headers } = await client.request({ method: "GET", path: "/ServiceProviderConfig", signal });
    const instant = Date.parse(headers["date"] ?? "");
    return Number.isNaN(instant) ? null : instant;
  } catch (error) {
    // A service that does not tell what it can do does not tell its clock.
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
