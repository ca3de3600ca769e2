/**
 * The code that checks JWTs, loaded when the first comes: most services never see one.
 * @module
 */
import type { KeySetOptions } from "./key-sets.ts";
import type { JwtCheck } from "./verify-jwt.ts";

/** Makes what checks JWTs; it loads its code, and `jose`, on first use, and again where that failed. */
export function jwtOnDemand(options: KeySetOptions): JwtCheck {
  let loading: Promise<JwtCheck> | null = null;
  const load = async (): Promise<JwtCheck> => {
    try {
      const { createJwtCheck } = await import("./verify-jwt.ts");
      return createJwtCheck(options);
    } catch (error) {
      // The system may have had no file descriptor left at that moment.
      loading = null;
      throw error;
    }
  };
  return async (text, trust) => (await (loading ??= load()))(text, trust);
}
