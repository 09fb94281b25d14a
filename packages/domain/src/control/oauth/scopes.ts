import { isGrantable, type Scope, SCOPES } from "../../verbs/Policy.js"

/** What a client may ask for. */
export const GRANTABLE_SCOPES: ReadonlyArray<Scope> = SCOPES.filter(isGrantable)

/** Clients that know OpenID Connect ask for it to be given refresh tokens, which every client is. */
const OFFLINE_ACCESS = "offline_access"

/** The scopes that a `scope` parameter names (RFC 6749 §3.3); all that can be had where it names none; null: others. */
export const scopesOf = (text: string | null): ReadonlyArray<Scope> | null => {
  const names = (text ?? "").split(" ").filter((name) => name !== "" && name !== OFFLINE_ACCESS)
  if (names.some((name) => !GRANTABLE_SCOPES.some((scope) => scope === name))) return null
  return names.length === 0 ? GRANTABLE_SCOPES : GRANTABLE_SCOPES.filter((scope) => names.includes(scope))
}

export const scopeText = (scopes: ReadonlyArray<Scope>): string => scopes.filter(isGrantable).join(" ")
