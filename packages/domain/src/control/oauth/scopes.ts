import { isGrantable, type Scope, SCOPES } from "../../verbs/Policy.js"

/** Scopes that a client may ask for. */
export const GRANTABLE_SCOPES: ReadonlyArray<Scope> = SCOPES.filter(isGrantable)

/**
 * The scopes of ours that a `scope` parameter names (RFC 6749 §3.3). Others, such as `openid` or `offline_access`, belong to
 * other services or mean nothing here, and are left out. Commas and other marks between them, and capitals, are taken for
 * what they mean: a list that is not understood would ask for all.
 */
export const scopesIn = (text: string | null): ReadonlyArray<Scope> => {
  const names = new Set((text ?? "").toLowerCase().split(/[^a-z:_.]+/))
  return SCOPES.filter((scope) => names.has(scope))
}

/**
 * The scopes that a client may be allowed, of those it asks for. One that names none of ours asks for all of them. Null: it
 * names only such as are never granted, and offering others would be more than it asked for.
 */
export const askedScopes = (text: string | null): ReadonlyArray<Scope> | null => {
  const named = scopesIn(text)
  const grantable = named.filter(isGrantable)
  if (named.length === 0) return GRANTABLE_SCOPES
  return grantable.length === 0 ? null : grantable
}

export const scopeText = (scopes: ReadonlyArray<Scope>): string => scopes.filter(isGrantable).join(" ")
