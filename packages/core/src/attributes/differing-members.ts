/**
 * What differs between two states of a stored object, of their texts: what is the same is not read.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { behindMember, CLOSE_OBJECT, endOfString, endOfValue, QUOTE } from "./json-places.ts";

/** The members of two states of an object that are not the same in both, each in its order. */
export interface DifferingMembers {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/**
 * Reads the members in which two states of an object differ.
 * @param before JSON as `JSON.stringify` writes it, and so is `after`
 * @returns null where a text has another form, such as white space
 *
 * @example
 * differingMembers('{"userName":"anna","title":"Guide"}', '{"userName":"anna"}');
 * // { before: { title: "Guide" }, after: {} }
 */
export function differingMembers(before: string, after: string): DifferingMembers | null {
  const was: string[] = [];
  const is: string[] = [];
  let inBefore = firstDifferent(before, after);
  let inAfter = inBefore;
  // Members mostly stand in the same order: those of one name are compared where they stand.
  while (before.charCodeAt(inBefore) === QUOTE && after.charCodeAt(inAfter) === QUOTE) {
    const [member, other] = [memberAt(before, inBefore), memberAt(after, inAfter)];
    if (member !== other) {
      if (nameOf(member) !== nameOf(other)) break;
      was.push(member);
      is.push(other);
    }
    inBefore = behindMember(before, inBefore + member.length);
    inAfter = behindMember(after, inAfter + other.length);
    // Mostly one member changed: what follows is the same at once.
    if (before.length - inBefore !== after.length - inAfter) continue;
    if (before.slice(inBefore) === after.slice(inAfter)) {
      return { before: objectOf(was), after: objectOf(is) };
    }
  }
  const [oldRest, newRest] = [membersFrom(before, inBefore), membersFrom(after, inAfter)];
  if (oldRest === null || newRest === null) return null;
  return {
    before: objectOf([...was, ...without(oldRest, newRest)]),
    after: objectOf([...is, ...without(newRest, oldRest)]),
  };
}

/** Where the first member that is not the same in both begins. */
function firstDifferent(before: string, after: string): number {
  const same = sameBeginning(before, after);
  let start = 1;
  while (before.charCodeAt(start) === QUOTE) {
    const end = endOfMember(before, start);
    if (end >= same) break;
    start = behindMember(before, end);
  }
  return start;
}

/** How many characters two texts begin with alike: parts of them are compared, each half as long as the one before. */
function sameBeginning(before: string, after: string): number {
  let same = 0;
  let most = Math.min(before.length, after.length);
  while (same < most) {
    const middle = (same + most + 1) >>> 1;
    if (before.slice(same, middle) === after.slice(same, middle)) same = middle;
    else most = middle - 1;
  }
  return same;
}

/** The text of the member that begins at a place: its name, a colon and its value. */
function memberAt(text: string, start: number): string {
  return text.slice(start, endOfMember(text, start));
}

function endOfMember(text: string, start: number): number {
  return endOfValue(text, endOfString(text, start) + 1);
}

function nameOf(member: string): string {
  return member.slice(0, endOfString(member, 0));
}

/** The members from a place on; null where the text does not end as an object does. */
function membersFrom(text: string, start: number): readonly string[] | null {
  const members: string[] = [];
  let place = start;
  while (text.charCodeAt(place) === QUOTE) {
    const member = memberAt(text, place);
    members.push(member);
    place = behindMember(text, place + member.length);
  }
  return place === text.length - 1 && text.charCodeAt(place) === CLOSE_OBJECT ? members : null;
}

function without(members: readonly string[], others: readonly string[]): readonly string[] {
  const same = new Set(others);
  return members.filter((member) => !same.has(member));
}

function objectOf(members: readonly string[]): JsonObject {
  // Members of an object are an object.
  return JSON.parse(`{${members.join(",")}}`) as JsonObject;
}
