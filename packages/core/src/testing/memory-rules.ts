/**
 * Rules of connections in memory.
 * @module
 */
import type { ConnectionRule, ConnectionRules, HeldTwice } from "../store/connection-rules.ts";
import type { MemoryTenant } from "./memory-tenant.ts";

/** Resources of one step. */
const STEP = 2;

/** The rules that a store in memory holds. */
export function memoryRules(tenantOf: (name: string) => MemoryTenant): ConnectionRules {
  const isOf = (rule: ConnectionRule, token: string): boolean =>
    tenantOf(rule.tenant).ruleState(rule)?.token === token;
  return {
    state: async (rule) => tenantOf(rule.tenant).ruleState(rule),
    begin: async (rule, token) => {
      tenantOf(rule.tenant).setRule(rule, { token, complete: false });
    },
    // A write is over when it returns.
    earlierWritesOver: () => Promise.resolve(),
    fill: async (rule, after, entryOf) => {
      const tenant = tenantOf(rule.tenant);
      const behind = tenant.liveOf(rule.type).filter(({ id }) => after === null || id > after);
      const step = behind.slice(0, STEP);
      const first: HeldTwice[] = [];
      const seen = step.filter(({ connection }) => connection === rule.connection).length;
      for (const resource of step) {
        const entry = resource.connection === rule.connection ? entryOf(resource.body) : null;
        if (entry === null) continue;
        const holder = tenant.holder(entry);
        if (holder === undefined) tenant.hold(entry, resource);
        else if (holder !== resource) first.push({ id: resource.id, body: resource.body, holder: holder.id });
      }
      const next = behind.length > STEP ? (step.at(-1)?.id ?? null) : null;
      return { next, seen, refused: first.length, first };
    },
    complete: async (rule, token) => {
      if (!isOf(rule, token)) return false;
      tenantOf(rule.tenant).setRule(rule, { token, complete: true });
      return true;
    },
    end: async (rule, token) => {
      if (isOf(rule, token)) tenantOf(rule.tenant).setRule(rule, null);
    },
  };
}
