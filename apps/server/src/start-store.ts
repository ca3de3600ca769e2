/**
 * Opens the store at a start, and sees to its tokens.
 * @module
 */
import { settleDefaultTenant } from "./administration/ports.ts";
import { settleTokens, type TokenOrigin } from "./credentials/start-tokens.ts";
import type { SchemaRegistry } from "@scim/schemas";
import { openStore, type OpenedStore } from "./open-store.ts";
import type { Settings } from "./settings/table.ts";

/** A store whose tokens are seen to. */
export interface StartedStore {
  readonly opened: OpenedStore;
  /** What became of the provisioning token. */
  readonly token: TokenOrigin;
}

/**
 * Opens the store of the settings and sees to the tokens.
 * @param registry given where the process gives positions to events
 * @throws CommandFailure where the database or the folder of secrets cannot be used
 */
export async function startStore(settings: Settings, registry?: SchemaRegistry): Promise<StartedStore> {
  const opened = await openStore(settings, registry);
  try {
    await settleDefaultTenant(opened);
    const token = await settleTokens(settings, { ...opened, tokens: opened.store.tokens });
    return { opened, token };
  } catch (error) {
    await opened.store.close();
    throw error;
  }
}
