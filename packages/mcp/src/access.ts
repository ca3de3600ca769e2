/**
 * Which tools a caller has: by the scopes of its token, and by what whoever set them up allows.
 * @module
 */
import type { Tool, ToolRight } from "./tool.ts";

/** What narrows the tools. */
export interface ToolAccess {
  /** Scopes of the token, such as `scim:read` and `scim:write:User`. Default: the service alone decides. */
  readonly scopes?: ReadonlySet<string> | undefined;
  /**
   * Whether the service is asked, before tools are listed, which rights the token has: where its scopes are not known.
   * Default false: a tool is not listed any more once the service has refused it.
   */
  readonly ask?: boolean | undefined;
  /** Whether tools that change something are left out. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Names of tools that are there at all; `*` stands for any characters. Default: all. */
  readonly allow?: readonly string[] | undefined;
}

/** Tells which tools there are. */
export function createToolFilter({ scopes, readOnly = false, allow }: ToolAccess): (tool: Tool) => boolean {
  const patterns = allow?.map(patternOf);
  return (tool) => {
    if (readOnly && !tool.annotations.readOnlyHint) return false;
    if (patterns !== undefined && !patterns.some((pattern) => pattern.test(tool.name))) return false;
    return scopes === undefined || tool.right === null || opens(scopes, tool.right);
  };
}

/** Whether scopes open a right. */
export function opens(scopes: ReadonlySet<string>, { verb, type }: ToolRight): boolean {
  if (scopes.has("scim") || scopes.has(`scim:${verb}`)) return true;
  if (type !== null) return scopes.has(`scim:${verb}:${type}`);
  return [...scopes].some((scope) => scope.startsWith(`scim:${verb}:`));
}

function patternOf(text: string): RegExp {
  const parts = text
    .trim()
    .split("*")
    .map((part) => part.replaceAll(/[^\w-]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`);
}
