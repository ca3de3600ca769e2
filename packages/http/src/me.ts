/**
 * `/Me` (RFC 7644 §3.11): another address of the resource that the caller is.
 * @module
 */
import type { ServedType } from "@scim/core";
import { ScimError } from "@scim/schemas";
import type { Call } from "./call.ts";
import type { Method } from "./methods.ts";
import { noSuchAddress } from "./routes.ts";

/**
 * The resource of the caller. From here on every answer tells its permanent address.
 * @throws ScimError `notImplemented` for POST and where `/Me` is switched off, `notFound` where the caller is
 *   no resource
 */
export function findMe(call: Call, method: Method): { readonly type: ServedType; readonly id: string } {
  const { service, context, trace } = call;
  if (method === "POST") {
    throw new ScimError("notImplemented", "POST to /Me is not offered; create at the address of the type.");
  }
  const { type: name, id } = service.me(context);
  const type = service.types(context).find((candidate) => candidate.name === name);
  if (type === undefined) throw noSuchAddress();
  trace.location = `${context.baseUrl}${type.endpoint}/${encodeURIComponent(id)}`;
  return { type, id };
}
