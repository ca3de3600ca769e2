/**
 * Erases anew what a restored backup brought back.
 * @module
 */
import { type Erasing, finishErasure, withType } from "./erase.ts";
import {
  type Erasure,
  type ErasureList,
  erasureOf,
  readErasures,
  type Subject,
  SubjectOfSeveralTypes,
} from "./erasure.ts";
import type { ErasureStore } from "./port.ts";

/**
 * Erases again whom a list names and the database does not: those whom a restored backup brought back.
 * @returns how many entries the database lacked
 * @throws ErasureKeyMissing; SubjectOfSeveralTypes behind all others, where an entry tells no type and resources of several
 *   have or had its id, unless one of them was erased since
 */
export async function replayErasures(erasing: Erasing, listed: readonly Erasure[]): Promise<number> {
  const { erasures } = erasing;
  const lacking: Erasure[] = [];
  for (const erasure of listed) if (!(await erasures.has(erasure))) lacking.push(erasure);
  const list = readErasures(erasing, lacking);
  const waiting = new Map<Erasure, SubjectOfSeveralTypes>();
  for (const tenant of new Set(lacking.map((erasure) => erasure.tenant))) {
    for await (const { subject, erasure } of listedIn(erasures, tenant, list)) {
      const refusal = await replay(erasing, subject, erasure);
      if (refusal !== null) waiting.set(erasure, refusal);
    }
  }
  // Those of whom nothing came back too: the next start need not look for them.
  for (const erasure of lacking) if (!waiting.has(erasure)) await erasures.add(erasure, erasing.origin);
  for (const refusal of waiting.values()) throw refusal;
  return lacking.length;
}

interface Listed {
  readonly subject: Subject;
  readonly erasure: Erasure;
}

/** The subjects of a tenant that a list names, each once; of one id those whose type is told first. */
async function* listedIn(
  erasures: ErasureStore,
  tenant: string,
  list: ErasureList,
): AsyncGenerator<Listed, void, undefined> {
  // Behind the erasure of one, what tells no type may be done.
  const types = [...(await erasures.tenantTypes(tenant)), undefined];
  const done = new Set<string>();
  for await (const ids of erasures.ids(tenant)) {
    for (const id of ids) {
      if (done.has(id)) continue;
      const listed = types.flatMap((type) => listedAs(list, { tenant, id, type }));
      if (listed.length > 0) done.add(id);
      yield* listed;
    }
  }
}

function listedAs(list: ErasureList, subject: Subject): readonly Listed[] {
  const erasure = list.find(subject);
  return erasure === null ? [] : [{ subject, erasure }];
}

/** Answers why nobody is erased for an entry that tells no type; null where that is done, or need not be. */
async function replay(
  erasing: Erasing,
  subject: Subject,
  erasure: Erasure,
): Promise<SubjectOfSeveralTypes | null> {
  try {
    await finishErasure(erasing, await withType(erasing.erasures, subject), erasure);
    return null;
  } catch (error) {
    if (!(error instanceof SubjectOfSeveralTypes)) throw error;
    for (const type of error.types)
      if (await erasing.erasures.has(erasureOf(erasing, { ...subject, type }, erasure.at))) return null;
    return error;
  }
}
