import { isGrantable, type Scope, SCOPES } from "../../verbs/Policy.js"

/** Scopes that a client may ask for. */
export const GRANTABLE_SCOPES: ReadonlyArray<Scope> = SCOPES.filter(isGrantable)

/** OpenID Connect clients use it to ask for refresh tokens. Every client gets them. */
const OFFLINE_ACCESS = "offline_access"

/** The scopes in a `scope` parameter (RFC 6749 §3.3). Missing means all grantable ones; null: it names others. */
export const scopesOf = (text: string | null): ReadonlyArray<Scope> | null => {
  const names = (text ?? "").split(" ").filter((name) => name !== "" && name !== OFFLINE_ACCESS)
  if (names.some((name) => !GRANTABLE_SCOPES.some((scope) => scope === name))) return null
  return names.length === 0 ? GRANTABLE_SCOPES : GRANTABLE_SCOPES.filter((scope) => names.includes(scope))
}

export const scopeText = (scopes: ReadonlyArray<Scope>): string => scopes.filter(isGrantable).join(" ")
