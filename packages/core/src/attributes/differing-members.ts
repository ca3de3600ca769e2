/**
 * What differs between two states of a stored object, of their texts: what is the same is not read.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { behindMember, CLOSE_OBJECT, COMMA, endOfString, endOfValue, QUOTE } from "./json-places.ts";

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
  let [inBefore, inAfter] = [1, 1];
  // Members mostly stand in the same order: what is the same is compared where it stands.
  while (before.charCodeAt(inBefore) === QUOTE && after.charCodeAt(inAfter) === QUOTE) {
    const member = memberAt(before, inBefore);
    let other = member;
    if (!standsAt(after, inAfter, member)) {
      other = memberAt(after, inAfter);
      if (nameOf(other) !== nameOf(member)) break;
      was.push(member);
      is.push(other);
    }
    inBefore = behindMember(before, inBefore + member.length);
    inAfter = behindMember(after, inAfter + other.length);
  }
  const [oldRest, newRest] = [membersFrom(before, inBefore), membersFrom(after, inAfter)];
  if (oldRest === null || newRest === null) return null;
  return {
    before: objectOf([...was, ...without(oldRest, newRest)]),
    after: objectOf([...is, ...without(newRest, oldRest)]),
  };
}

/** The text of the member that begins at a place: its name, a colon and its value. */
function memberAt(text: string, start: number): string {
  return text.slice(start, endOfValue(text, endOfString(text, start) + 1));
}

function standsAt(text: string, place: number, member: string): boolean {
  if (!text.startsWith(member, place)) return false;
  const next = text.charCodeAt(place + member.length);
  return next === COMMA || next === CLOSE_OBJECT;
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
