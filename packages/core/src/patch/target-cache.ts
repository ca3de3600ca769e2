/**
 * Keeps bound paths: clients send the same few paths again and again.
 * @module
 */
import type { ResourceModel } from "../model/resource-model.ts";
import type { Profile } from "../profiles/profile.ts";
import type { SwitchName } from "../profiles/switch.ts";
import { bindKey, bindPath, type PatchTarget, type TargetContext } from "./target.ts";

/** Most paths kept for one resource type under one profile. */
const MAX_ENTRIES = 1000;

/** Binds paths, from memory where it can. */
export interface TargetBinder {
  /** See `bindPath`. */
  path(text: string, context: TargetContext): PatchTarget;
  /** See `bindKey`. */
  key(text: string, context: TargetContext): PatchTarget | null;
}

interface Entry {
  readonly target: PatchTarget | null;
  /** Switches that binding made use of, told again each time. */
  readonly fired: readonly (readonly [name: SwitchName, path: string])[];
}

type Entries = Map<string, Entry>;

/** Makes a binder with a memory of its own. */
export function createTargetBinder(): TargetBinder {
  const memory = new WeakMap<ResourceModel, WeakMap<Profile, Entries>>();

  const entriesFor = ({ model, request }: TargetContext): Entries => {
    const byProfile = memory.get(model) ?? new WeakMap<Profile, Entries>();
    memory.set(model, byProfile);
    const entries = byProfile.get(request.profile) ?? new Map<string, Entry>();
    byProfile.set(request.profile, entries);
    return entries;
  };

  const remember = (
    name: string,
    context: TargetContext,
    bind: (recording: TargetContext) => PatchTarget | null,
  ): PatchTarget | null => {
    const entries = entriesFor(context);
    const known = entries.get(name) ?? record(context, bind);
    entries.delete(name);
    entries.set(name, known);
    if (entries.size > MAX_ENTRIES) forgetOldest(entries);
    for (const [switchName, path] of known.fired) context.request.onSwitch(switchName, path);
    return known.target;
  };

  return {
    path: (text, context) =>
      remember(`path ${text}`, context, (recording) => bindPath(text, recording)) ?? bindPath(text, context),
    key: (text, context) => remember(`key ${text}`, context, (recording) => bindKey(text, recording)),
  };
}

function record(context: TargetContext, bind: (recording: TargetContext) => PatchTarget | null): Entry {
  const fired: (readonly [SwitchName, string])[] = [];
  const onSwitch = (name: SwitchName, path: string): void => {
    fired.push([name, path]);
  };
  const target = bind({ ...context, request: { profile: context.request.profile, onSwitch } });
  return { target, fired };
}

function forgetOldest(entries: Entries): void {
  const { value } = entries.keys().next();
  if (value !== undefined) entries.delete(value);
}
