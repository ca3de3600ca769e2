/**
 * The program that asks for as much as it can: it begins when it is told of whom, and stops at the next message.
 * @module
 */
import { type Pressed, startPressure } from "./pressure.ts";

process.once("message", (target: Pressed) => {
  const pressure = startPressure(target);
  void pressure.begun.then(() => process.send?.("begun"));
  process.once("message", () => void pressure.stop().then((told) => process.send?.(told)));
});
