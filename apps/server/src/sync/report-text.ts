/**
 * What became of a sync, for people.
 * @module
 */
import type { ApplyReport } from "@scim/sync";
import { counted, grouped } from "../progress/progress.ts";
import { keptText } from "./kept-text.ts";

const SHOWN = 20;

/** A report as text. */
export function reportText({ done, failures, stopped, kept }: ApplyReport): string {
  const counts = [
    `${grouped(done.create)} created`,
    `${grouped(done.update)} updated`,
    `references of ${counted(done.references, "resource")} changed`,
    `${grouped(done.deactivate)} deactivated`,
    `${grouped(done.delete)} deleted`,
    `${grouped(failures.length)} failed`,
  ];
  const lines = [`${counts.join(", ")}.`];
  for (const { action, type, key, code, message, remedy } of failures.slice(0, SHOWN))
    lines.push(`  ${action} ${type} ${key}: ${message} (${code}). ${remedy}`);
  if (failures.length > SHOWN) lines.push(`  and ${grouped(failures.length - SHOWN)} more; --json shows all`);
  if (stopped !== null)
    lines.push(`Stopped: ${stopped.replace(/\.$/, "")}. The same command goes on where it stopped.`);
  else if (failures.length > 0) lines.push("The same command tries what failed again.");
  const keptPart = keptText(kept);
  if (keptPart !== null) lines.push("", keptPart);
  return lines.join("\n");
}
