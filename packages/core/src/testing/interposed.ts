/**
 * A port with some calls replaced, and all others as they are.
 * @module
 */

/** A port of which some calls are answered otherwise. What is left is called on the port itself, which may be a class. */
export function interposed<Port extends object>(port: Port, calls: Partial<Port>): Port {
  return new Proxy(port, {
    get: (target, name): unknown => {
      if (Object.hasOwn(calls, name)) return Reflect.get(calls, name);
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}
