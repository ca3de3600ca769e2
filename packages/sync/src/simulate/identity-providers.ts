/**
 * The identity providers that can be simulated.
 * @module
 */
import type { Scenario } from "./scenario.ts";
import { ENTRA } from "./scenarios/entra.ts";
import { GOOGLE } from "./scenarios/google.ts";
import { JUMPCLOUD } from "./scenarios/jumpcloud.ts";
import { OKTA } from "./scenarios/okta.ts";
import { ONELOGIN } from "./scenarios/onelogin.ts";

/** The life cycles by the name of the identity provider. */
export const IDENTITY_PROVIDERS = {
  entra: ENTRA,
  okta: OKTA,
  onelogin: ONELOGIN,
  jumpcloud: JUMPCLOUD,
  google: GOOGLE,
} as const satisfies Readonly<Record<string, Scenario>>;

/** The name of an identity provider that can be simulated. */
export type IdentityProviderName = keyof typeof IDENTITY_PROVIDERS;
