/**
 * The code that checks JWTs, loaded when the first comes: most services never see one.
 * @module
 */
import type { KeySetOptions } from "./key-sets.ts";
import type { JwtCheck } from "./verify-jwt.ts";

/** Makes what checks JWTs; it loads its code, and `jose`, on first use. */
export function jwtOnDemand(options: KeySetOptions): JwtCheck {
  let loading: Promise<JwtCheck> | null = null;
  return async (text, trust) => {
    loading ??= import("./verify-jwt.ts").then(({ createJwtCheck }) => createJwtCheck(options));
    return (await loading)(text, trust);
  };
}
