import { Redacted } from "effect"

export type Environment = Readonly<Record<string, string | undefined>>

const REFERENCE = /^env:([A-Za-z_][A-Za-z0-9_]{0,127})$/

/** Fits into a header. */
const USABLE = /^[\x21-\x7e]{1,8192}$/

/** Of a source that takes no key. */
export const noSecretOf = (reference: unknown): { readonly secret: null } | { readonly mistake: string } =>
  reference === undefined || reference === null ? { secret: null } : { mistake: "takes no key; leave it out" }

/** Resolves a secret reference. Null: the file says that there is none. Left: the mistake, without the value. */
export const secretOf = (
  reference: unknown,
  environment: Environment
): { readonly secret: Redacted.Redacted | null } | { readonly mistake: string } => {
  if (reference === null) return { secret: null }
  const name = typeof reference === "string" ? REFERENCE.exec(reference)?.[1] : undefined
  if (name === undefined) {
    return {
      mistake:
        "must be a reference to the environment, such as env:VENDOR_KEY, or null; the secret itself does not belong into this file"
    }
  }
  const value = environment[name]?.trim() ?? ""
  if (value === "") return { mistake: `names the variable ${name}, which is not set` }
  return USABLE.test(value)
    ? { secret: Redacted.make(value) }
    : { mistake: `names the variable ${name}, which holds more than one printable word` }
}
