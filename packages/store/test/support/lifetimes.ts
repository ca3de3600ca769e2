/**
 * How long what is opened for tests lives.
 * @module
 */
import { afterAll, onTestFinished } from "vitest";

/** Takes what is to be done at an end: what was opened last is ended first. */
export type Lifetime = (end: () => void | Promise<void>) => void;

/** Until the test ends that runs. */
export const ofTest: Lifetime = (end) => onTestFinished(end);

/** Until the tests of the present group have ended. Called while they are collected. */
export function ofGroup(): Lifetime {
  const ends: Parameters<Lifetime>[0][] = [];
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return (end) => void ends.push(end);
}
