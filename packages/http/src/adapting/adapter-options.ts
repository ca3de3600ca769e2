/**
 * What adapters are told beside the handler.
 * @module
 */
import { ScimError } from "@scim/schemas";

/** Options that adapters have in common. `Rest` is what a runtime or framework passes behind the request. */
export interface AdapterOptions<Request, Rest extends readonly unknown[] = readonly []> {
  /**
   * Address by which clients reach the application, without the mount: `https://id.example`, or a function of the
   * request. `meta.location` begins with it. Default: the address that the request names. No forwarded header is heeded,
   * so state it behind a proxy.
   */
  readonly publicUrl?: PublicUrl<Request, Rest> | undefined;
  /** The tenant that the mount is for; tokens of others find nothing. Default: what `:tenant` in the prefix names, if it is there. */
  readonly tenant?: string | undefined;
  /** The connection of that tenant that the mount is for. Default: any. */
  readonly connection?: string | undefined;
  /** Names a request in logs, and in the detail of a 500. Default: a random UUID. */
  readonly requestId?: ((request: Request, ...rest: Rest) => string) | undefined;
}

/** An address, or what finds it. */
export type PublicUrl<Request, Rest extends readonly unknown[] = readonly []> =
  | string
  | ((request: Request, ...rest: Rest) => string);

/** What finds the public address, without a slash at its end. */
export function publicUrlOf<Request, Rest extends readonly unknown[] = readonly []>(
  option: PublicUrl<Request, Rest> | undefined,
  byRequest: (request: Request) => string,
): (request: Request, ...rest: Rest) => string {
  if (typeof option === "string") {
    const stated = withoutSlash(option);
    return () => stated;
  }
  const find = option ?? byRequest;
  return (request, ...rest) => withoutSlash(find(request, ...rest));
}

function withoutSlash(url: string): string {
  return url.endsWith("/") ? url.slice(0, -1) : url;
}

/** Names a request where the application has no name for it. */
export function randomId(): string {
  return crypto.randomUUID();
}

/** A body that is gone: whoever reads it is told what the application has to change. */
export async function* spentBody(advice: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.reject<Uint8Array>(
    new ScimError("internal", `The application read the body of this request before SCIM did; ${advice}.`),
  );
}
