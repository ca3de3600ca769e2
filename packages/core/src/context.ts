/**
 * What every operation knows about its request.
 * @module
 */
import type { Profile } from "./profiles/profile.ts";
import type { SwitchName } from "./profiles/switch.ts";
import type { ChangeOrigin } from "./store/change-origin.ts";

/** The request as the rules see it: whose it is, how it is read, and how its answer names resources. */
export interface RequestContext {
  readonly tenant: string;
  readonly connection: string;
  /** The `id` of the resource that the caller is, or null. */
  readonly subject: string | null;
  /** Where the request comes from: what it changes is told with it. Default: nothing is known. */
  readonly origin?: ChangeOrigin | undefined;
  readonly profile: Profile;
  /** Absolute base of `meta.location`, without a trailing slash: `https://id.example/scim/v2`. */
  readonly baseUrl: string;
  /** Ends the operation when the client goes away. */
  readonly signal: AbortSignal | undefined;
  /** Called once for each tolerance that a request made use of. `path` names the attribute, never a value. */
  readonly onSwitch: (name: SwitchName, path: string) => void;
}

/** The context of one operation: a tolerance is told once, however many values and attempts made use of it. */
export function tellingOnce(context: RequestContext): RequestContext {
  let told: Set<string> | null = null;
  return derived(context, {
    onSwitch: (name, path) => {
      const use = `${name} ${path}`;
      told ??= new Set();
      if (told.has(use)) return;
      told.add(use);
      context.onSwitch(name, path);
    },
  });
}

/** The same context with another signal, which is made on the first question for it. */
export function withSignal(context: RequestContext, signal: () => AbortSignal | undefined): RequestContext {
  return derived(context, { signal });
}

interface Changes {
  readonly signal?: () => AbortSignal | undefined;
  readonly onSwitch?: RequestContext["onSwitch"];
}

function derived(context: RequestContext, { signal, onSwitch }: Changes): RequestContext {
  return {
    tenant: context.tenant,
    connection: context.connection,
    subject: context.subject,
    // Asked for by changes alone.
    get origin() {
      return context.origin;
    },
    profile: context.profile,
    baseUrl: context.baseUrl,
    // Asked for only where it is needed: making one costs more than many an operation.
    get signal() {
      return signal === undefined ? context.signal : signal();
    },
    onSwitch: onSwitch ?? context.onSwitch,
  };
}
