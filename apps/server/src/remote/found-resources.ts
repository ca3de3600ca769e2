/**
 * Finds the resources of a running service that records mean.
 * @module
 */
import type { DynamicResource, DynamicShape, ResourceClient } from "@scim/client";
import { ListedResources } from "./listed-resources.ts";
import { holds, type Match } from "./matched-resource.ts";
import { wholeList } from "./whole-resources.ts";

/** How many resources without the value that was asked for tell that a service ignores the filter; fewer are gone through. */
const IGNORED = 100;

/** Finds resources, and learns on the way which filters the service ignores. */
export class FoundResources {
  /** Types and paths whose filters the service ignores. */
  readonly #ignored = new Set<string>();
  readonly #listed = new Map<string, ListedResources>();

  /** Resources that have the value: none, one, or two where there are several. */
  async with(resources: ResourceClient<DynamicShape>, match: Match): Promise<readonly DynamicResource[]> {
    const { name } = resources.type;
    const filter = `${name} ${match.path}`;
    if (!this.#ignored.has(filter)) {
      const found = await asked(resources, match);
      if (found !== null) return found;
      this.#ignored.add(filter);
    }
    const listed = this.#listed.get(name) ?? new ListedResources(resources);
    this.#listed.set(name, listed);
    return listed.with(match);
  }
}

/** What the service answers; null where it ignores what it is asked for. */
async function asked(
  resources: ResourceClient<DynamicShape>,
  match: Match,
): Promise<readonly DynamicResource[] | null> {
  const found: DynamicResource[] = [];
  let others = 0;
  const filter = `${match.path} eq ${JSON.stringify(match.value)}`;
  for await (const each of wholeList(resources, { filter })) {
    // A service that does not obey the filter gives everything: nobody may be taken for somebody else.
    if (match.isShown && !holds(each, match)) {
      others += 1;
      if (others > IGNORED) return null;
      continue;
    }
    found.push(each);
    if (found.length === 2) break;
  }
  return found;
}
