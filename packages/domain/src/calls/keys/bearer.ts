/** RFC 6750 §2.1. The scheme is case-insensitive (RFC 9110 §11.1). */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/** The secret of an `Authorization` header; null: missing or malformed. */
export const bearerOf = (authorization: string | undefined): string | null =>
  authorization === undefined ? null : (BEARER.exec(authorization)?.[1] ?? null)
