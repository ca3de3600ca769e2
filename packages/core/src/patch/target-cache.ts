/**
 * Keeps bound paths: clients send the same few paths again and again.
 * @module
 */
import type { ResourceModel } from "../model/resource-model.ts";
import type { Profile } from "../profiles/profile.ts";
import type { SwitchName } from "../profiles/switch.ts";
import { bindKey, bindPath, type PatchTarget, type TargetContext } from "./target.ts";

/** Most texts of a kind kept for one resource type under one profile. */
const MAX_ENTRIES = 1000;

/** Longest text that is kept, in UTF-16 code units: clients choose the keys of a value, and no limit but the body's bounds one. */
const LONGEST_KEPT = 1024;

/** Binds paths, from memory where it can. */
export interface TargetBinder {
  /** See `bindPath`. */
  path(text: string, context: TargetContext): PatchTarget;
  /** See `bindKey`. */
  key(text: string, context: TargetContext): PatchTarget | null;
}

interface Entry<Target> {
  readonly target: Target;
  /** Switches that binding made use of, told again each time. */
  readonly fired: readonly (readonly [name: SwitchName, path: string])[];
}

type Bind<Target> = (text: string, context: TargetContext) => Target;

/** Makes a binder with a memory of its own. */
export function createTargetBinder(): TargetBinder {
  return { path: remembering(bindPath), key: remembering(bindKey) };
}

/** The same binding, from memory where it can. */
function remembering<Target>(bind: Bind<Target>): Bind<Target> {
  const memory = new WeakMap<ResourceModel, WeakMap<Profile, Map<string, Entry<Target>>>>();

  const entriesFor = ({ model, request }: TargetContext): Map<string, Entry<Target>> => {
    const byProfile = memory.get(model) ?? new WeakMap<Profile, Map<string, Entry<Target>>>();
    memory.set(model, byProfile);
    const entries = byProfile.get(request.profile) ?? new Map<string, Entry<Target>>();
    byProfile.set(request.profile, entries);
    return entries;
  };

  return (text, context) => {
    const entries = entriesFor(context);
    const known = entries.get(text) ?? record(bind, text, context);
    if (text.length <= LONGEST_KEPT) keep(entries, text, known);
    for (const [name, path] of known.fired) context.request.onSwitch(name, path);
    return known.target;
  };
}

/** Keeps an entry as the one that was used last. */
function keep<Target>(entries: Map<string, Entry<Target>>, text: string, entry: Entry<Target>): void {
  entries.delete(text);
  entries.set(text, entry);
  const [oldest] = entries.keys();
  if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
}

function record<Target>(bind: Bind<Target>, text: string, context: TargetContext): Entry<Target> {
  const fired: (readonly [SwitchName, string])[] = [];
  const onSwitch = (name: SwitchName, path: string): void => {
    fired.push([name, path]);
  };
  const target = bind(text, { ...context, request: { profile: context.request.profile, onSwitch } });
  return { target, fired };
}
