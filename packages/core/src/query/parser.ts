/**
 * The filter parser of a service: a bounded cache, with the tolerances of the profile that asks.
 * @module
 */
import {
  type CacheCounts,
  createFilterCache,
  type FilterNode,
  type ParseOptions,
  type PatchPath,
  type Tolerance,
} from "@scim/filter";
import type { RequestContext } from "../context.ts";
import type { Profile } from "../profiles/profile.ts";
import type { SwitchName } from "../profiles/switch.ts";

type ParserContext = Pick<RequestContext, "profile" | "onSwitch">;

/** Parses filters and PATCH paths. */
export interface FilterParser {
  /** @throws FilterSyntaxError */
  filter(text: string, context: ParserContext): FilterNode;
  /** @throws FilterSyntaxError */
  patchPath(text: string, context: ParserContext): PatchPath;
  /** How often a text was known already. */
  counts(): CacheCounts;
}

const TOLERANCE_SWITCHES: Readonly<Record<Tolerance, SwitchName>> = {
  valuePathComparison: "value-path-comparison",
  lenientLiterals: "lenient-literals",
};
const TOLERANCES: readonly Tolerance[] = ["valuePathComparison", "lenientLiterals"];

/** Makes a parser that keeps to the limits given. */
export function createFilterParser(limits: Pick<ParseOptions, "maxLength" | "maxDepth">): FilterParser {
  const cache = createFilterCache();
  const tolerated = new WeakMap<Profile, ReadonlySet<Tolerance>>();
  const optionsFor = (context: ParserContext): ParseOptions => {
    const tolerate = tolerated.get(context.profile) ?? tolerancesOf(context.profile);
    tolerated.set(context.profile, tolerate);
    return {
      ...limits,
      tolerate,
      onTolerance: (name) => {
        context.onSwitch(TOLERANCE_SWITCHES[name], "filter");
      },
    };
  };
  return {
    filter: (text, context) => cache.parseFilter(text, optionsFor(context)),
    patchPath: (text, context) => cache.parsePatchPath(text, optionsFor(context)),
    counts: () => cache.counts(),
  };
}

function tolerancesOf(profile: Profile): ReadonlySet<Tolerance> {
  return new Set(TOLERANCES.filter((name) => profile.switches.has(TOLERANCE_SWITCHES[name])));
}
