/**
 * Commands that speak to a running service through `@scim/client`.
 * @module
 */
import { createScimClient, isScimClientError, type ClientOptions, type ScimClient } from "@scim/client";
import type { Environment } from "../command-table/arguments.ts";
import { plainHttpIn } from "./plain-http.ts";
import { remoteFailure } from "./remote-failure.ts";
import { tokenOf, type RemoteFlags } from "./remote-flags.ts";

/** Where the service is, and how to get in. */
export interface Remote {
  /** Base address, with everything before `/Users`. */
  readonly url: string;
  readonly flags: RemoteFlags;
  readonly environment: Environment;
  /** What the client allows itself and the service. Default: what it allows itself anyway. */
  readonly options?: Pick<ClientOptions, "limits" | "retries">;
}

/**
 * Works with a client of a service, which is closed at the end.
 * @throws CommandFailure that tells what went wrong, and what to do
 */
export async function withClient<Result>(
  { url, flags, environment, options = {} }: Remote,
  work: (client: ScimClient) => Promise<Result>,
): Promise<Result> {
  const auth = tokenOf(flags, environment);
  try {
    await using client = createScimClient({
      ...options,
      baseUrl: url,
      auth,
      plainHttp: plainHttpIn(environment),
    });
    return await work(client);
  } catch (cause) {
    throw isScimClientError(cause) ? remoteFailure(cause, { name: url, flag: "--url" }) : cause;
  }
}
