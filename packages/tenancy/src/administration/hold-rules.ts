/**
 * Rules that come on and go off with the profile and the switches of a connection: a rule is on only where no two resources
 * break it, and none comes that does.
 * @module
 */
import {
  ALL_CONSTRAINTS,
  type ConnectionRule,
  connectionRule,
  type ConnectionRules,
  type ConstraintSwitch,
  type HeldTwice,
  MOST_NAMED,
  type ModelCatalog,
  type Profile,
  type ResourceModel,
  ruledEntry,
  type RuleState,
} from "@scim/core";
import { isScimError, type JsonObject } from "@scim/schemas";
import type { ConnectionName } from "../connections/connection.ts";
import type { ProfiledConnection } from "../credentials/authenticator.ts";
import { DuplicateValues } from "./duplicate-values.ts";

/** What rules of connections need. */
export interface RulePorts {
  /** Null where the store of resources holds none: then each write keeps the rules of its own profile alone. */
  readonly rules: ConnectionRules | null;
  /** The profile that a connection has. */
  readonly profileOf: (connection: ProfiledConnection) => Profile;
  /** The models of a tenant. */
  readonly catalogOf: (tenant: string) => ModelCatalog | Promise<ModelCatalog>;
  /** A text that no other call answers. */
  readonly newId: () => string;
  /** The present instant, UTC with milliseconds. */
  readonly now: () => string;
}

/** Rules that are held for a connection whose profile is about to have them. */
export interface Holding {
  /** The profile has them now. Resolves to false where somebody else has taken the place of this holding, or ended it. */
  keep(): Promise<boolean>;
  /** It does not come to have them. */
  letGo(): Promise<void>;
}

/** What is held for a change of a connection. */
export interface HeldRules extends Holding {
  /**
   * Somebody else changed the connection first: what it has now stays held. Who turned the same rule on has it by this holding,
   * since each that begins takes the place of the one before.
   */
  keepFor(present: State): Promise<void>;
}

/** A state of a connection; null where there is none. */
type State = ProfiledConnection | null;

/**
 * Holds the rules that a change of a connection turns on. Until they are held the switch stays as it is: values are taken
 * first of all that is there, without any effect on who writes; then of what came meanwhile, while each write keeps the rule.
 * @throws TenancyError `refused` that names resources which break a rule; ScimError `unavailable`
 */
export async function holdRules(
  ports: RulePorts,
  before: State,
  after: ProfiledConnection,
): Promise<HeldRules> {
  const held: { readonly constraint: ConstraintSwitch; readonly holding: Holding }[] = [];
  const letGo = (): Promise<void> => inTurn(held, ({ holding }) => holding.letGo());
  try {
    for (const constraint of turnedOn(ports, before, after)) {
      const one = await hold(ports, { constraint, connection: after, isNew: before === null });
      if (one !== null) held.push({ constraint, holding: one });
    }
  } catch (error) {
    await letGo();
    throw error;
  }
  const keepFor = (present: State): Promise<void> =>
    inTurn(held, async ({ constraint, holding }) => {
      if (present !== null && isOn(ports, present, constraint)) await holding.keep();
      else await holding.letGo();
    });
  const keep = async (): Promise<boolean> => {
    let areKept = true;
    for (const { holding } of held) areKept = (await holding.keep()) && areKept;
    return areKept;
  };
  return { keep, letGo, keepFor };
}

/** Prepares the end of the rules that a change turns off. The answer ends them, once the change is made. */
export async function endingRules(
  ports: RulePorts,
  before: ProfiledConnection,
  after: State,
): Promise<() => Promise<void>> {
  const { rules } = ports;
  if (rules === null) return () => Promise.resolve();
  const found = await Promise.all(
    ALL_CONSTRAINTS.filter((each) => after === null || !isOn(ports, after, each)).map(async (constraint) => {
      const rule = connectionRule(constraint, before);
      return { rule, state: await rules.state(rule) };
    }),
  );
  // Under its token alone: whoever turns it on again behind the change keeps it.
  return () =>
    inTurn(found, async ({ rule, state }) => {
      if (state !== null) await rules.end(rule, state.token);
    });
}

/** Holds the rules of a connection that cannot have made anything yet. */
export async function beginRules(ports: RulePorts, connection: ProfiledConnection): Promise<void> {
  for (const constraint of turnedOn(ports, null, connection))
    await ports.rules?.begin(connectionRule(constraint, connection), newToken(ports));
}

/** What came of a look at the rules of a connection. */
export interface SettledRules {
  /** Refusals of rules that resources break; values of others are held all the same as far as profiles have it. */
  readonly broken: readonly DuplicateValues[];
  /** Whether somebody is at one, and may not come to the end: then it is to be looked at again in some minutes. */
  readonly underWay: boolean;
}

/**
 * Brings what is held in line with the profile of a connection, where that changed without anybody asking: by a setting, or
 * with a release.
 */
export async function settleRules(ports: RulePorts, connection: ProfiledConnection): Promise<SettledRules> {
  const { rules } = ports;
  const broken: DuplicateValues[] = [];
  let underWay = false;
  if (rules === null) return { broken, underWay };
  for (const constraint of ALL_CONSTRAINTS) {
    const rule = connectionRule(constraint, connection);
    const state = await rules.state(rule);
    const wanted = isOn(ports, connection, constraint);
    if (state !== null && isUnderWay(ports, state)) {
      underWay = true;
      continue;
    }
    if (state === null ? !wanted : state.complete && wanted) continue;
    if (!wanted) {
      await rules.end(rule, state?.token ?? "");
      continue;
    }
    try {
      await (await hold(ports, { constraint, connection, isNew: false }))?.keep();
    } catch (error) {
      if (!(error instanceof DuplicateValues)) throw error;
      // What somebody began who did not come to the end.
      if (state !== null) await rules.end(rule, state.token);
      broken.push(error);
    }
  }
  return { broken, underWay };
}

/** When a rule was begun, and what tells two beginnings apart. */
function newToken({ now, newId }: RulePorts): string {
  return `${now()} ${newId()}`;
}

/** Milliseconds after which whoever began a rule does not come to the end any more (ten minutes). */
const GIVEN_UP_MS = 600_000;

/** Whether somebody may be at a rule, and come to the end. */
function isUnderWay({ now }: RulePorts, { token, complete }: RuleState): boolean {
  if (complete) return false;
  const [begun = ""] = token.split(" ");
  return Math.abs(Date.parse(now()) - Date.parse(begun)) < GIVEN_UP_MS;
}

function isOn({ profileOf }: RulePorts, connection: ProfiledConnection, { name }: ConstraintSwitch): boolean {
  return profileOf(connection).switches.has(name);
}

function turnedOn(ports: RulePorts, before: State, after: ProfiledConnection): readonly ConstraintSwitch[] {
  return ports.profileOf(after).constraints.filter((each) => before === null || !isOn(ports, before, each));
}

interface ToHold {
  readonly constraint: ConstraintSwitch;
  readonly connection: ConnectionName;
  /** Whether there is no such connection yet. */
  readonly isNew: boolean;
}

/** Holds a rule; null where there is nothing to hold. */
async function hold(ports: RulePorts, { constraint, connection, isNew }: ToHold): Promise<Holding | null> {
  const { rules } = ports;
  const entryOf = await entryReader(ports, constraint, connection);
  if (rules === null || entryOf === null) return null;
  const rule = connectionRule(constraint, connection);
  const fill = async (): Promise<number> => {
    const { seen, refused, first } = await fillAll(rules, rule, entryOf);
    if (refused === 0) return seen;
    throw new DuplicateValues({ constraint, connection: connection.connection, refused, first });
  };
  const seen = await fill();
  const token = newToken(ports);
  const letGo = (): Promise<void> => rules.end(rule, token);
  await rules.begin(rule, token);
  // A new connection has made nothing, and nobody writes for it: what is open on the server need not be waited for.
  if (isNew && seen === 0) return { keep: () => Promise.resolve(true), letGo };
  try {
    await rules.earlierWritesOver(rule.tenant);
    await fill();
  } catch (error) {
    await letGo();
    throw error;
  }
  return { keep: () => rules.complete(rule, token), letGo };
}

type EntryOf = Parameters<ConnectionRules["fill"]>[2];

/** What reads the value of a resource; null where the tenant has no resources of the type. */
async function entryReader(
  { catalogOf }: RulePorts,
  constraint: ConstraintSwitch,
  { tenant, connection }: ConnectionName,
): Promise<EntryOf | null> {
  const model = modelOf(await catalogOf(tenant), constraint.type);
  if (model === null || model.rows !== null) return null;
  return (body: JsonObject) => ruledEntry(model, constraint, { connection, body });
}

/** The model of a type, without making those of all others: there may be hundreds. Null where there is none. */
function modelOf(catalog: ModelCatalog, type: string): ResourceModel | null {
  try {
    return catalog.model(type);
  } catch (error) {
    if (isScimError(error) && error.code === "notFound") return null;
    throw error;
  }
}

interface Filled {
  readonly seen: number;
  readonly refused: number;
  readonly first: readonly HeldTwice[];
}

async function fillAll(rules: ConnectionRules, rule: ConnectionRule, entryOf: EntryOf): Promise<Filled> {
  let [seen, refused] = [0, 0];
  const first: HeldTwice[] = [];
  for (let after: string | null = null; ;) {
    const page = await rules.fill(rule, after, entryOf);
    seen += page.seen;
    refused += page.refused;
    first.push(...page.first.slice(0, MOST_NAMED - first.length));
    if (page.next === null) return { seen, refused, first };
    after = page.next;
  }
}

async function inTurn<Value>(values: readonly Value[], work: (value: Value) => Promise<void>): Promise<void> {
  for (const value of values) await work(value);
}
