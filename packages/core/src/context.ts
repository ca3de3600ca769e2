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

/** Most uses of tolerances that one operation tells of: a body may hold a hundred thousand names that are unknown. */
const MOST_TOLD = 1000;

/** The context of one operation: a tolerance is told once, however many values and attempts made use of it. */
export function tellingOnce(context: RequestContext): RequestContext {
  let told: Set<string> | null = null;
  return new DerivedContext(context, {
    onSwitch: (name, path) => {
      const use = `${name} ${path}`;
      told ??= new Set();
      if (told.size === MOST_TOLD || told.has(use)) return;
      told.add(use);
      context.onSwitch(name, path);
    },
  });
}

/** The same context with another signal, which is made on the first question for it. */
export function withSignal(context: RequestContext, signal: () => AbortSignal | undefined): RequestContext {
  return new DerivedContext(context, { signal });
}

/** Who a request comes from, as its context says it. */
export type ContextCaller = Pick<RequestContext, "tenant" | "connection" | "subject" | "profile">;

/**
 * What contexts hold from the beginning; what is asked for seldom, each makes on demand. A class, since each request makes
 * some: an object with getters of its own costs far more.
 */
export abstract class HeldContext implements RequestContext {
  readonly tenant: string;
  readonly connection: string;
  readonly subject: string | null;
  readonly profile: Profile;
  readonly baseUrl: string;
  readonly onSwitch: RequestContext["onSwitch"];

  constructor(caller: ContextCaller, baseUrl: string, onSwitch: RequestContext["onSwitch"]) {
    this.tenant = caller.tenant;
    this.connection = caller.connection;
    this.subject = caller.subject;
    this.profile = caller.profile;
    this.baseUrl = baseUrl;
    this.onSwitch = onSwitch;
  }

  /** Where the request comes from. Asked for by changes alone. */
  abstract get origin(): ChangeOrigin | undefined;

  /** Ends the operation. Asked for only where it is needed: making one costs more than many an operation. */
  abstract get signal(): AbortSignal | undefined;
}

interface Changes {
  readonly signal?: () => AbortSignal | undefined;
  readonly onSwitch?: RequestContext["onSwitch"];
}

class DerivedContext extends HeldContext {
  readonly #context: RequestContext;
  readonly #signal: Changes["signal"];

  constructor(context: RequestContext, { signal, onSwitch = context.onSwitch }: Changes) {
    super(context, context.baseUrl, onSwitch);
    this.#context = context;
    this.#signal = signal;
  }

  override get origin(): ChangeOrigin | undefined {
    return this.#context.origin;
  }

  override get signal(): AbortSignal | undefined {
    return this.#signal === undefined ? this.#context.signal : this.#signal();
  }
}
