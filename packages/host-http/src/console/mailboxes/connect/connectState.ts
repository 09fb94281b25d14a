import type { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { GRANT_PROVIDERS, type GrantProvider } from "@outbound/domain/outreach/sending/mailGrant.js"
import { Option, Schema } from "effect"
import { timingSafeEqual } from "node:crypto"

/** How long a person may take to consent. */
export const CONNECT_MINUTES = 10

/**
 * What was begun when a person went to the provider. The provider hands it back as `state` (RFC 6749 §10.12): the host
 * keeps nothing, so any host can end what another began. It holds what the provider knows anyway, or sees in the mail.
 */
const Begun = Schema.Struct({
  p: Schema.Literals(GRANT_PROVIDERS),
  a: Schema.String,
  n: Schema.String,
  w: Schema.String,
  at: Schema.Number,
  x: Schema.String
})

export interface ConnectBegun {
  readonly provider: GrantProvider
  readonly address: string
  readonly displayName: string
  readonly workspaceId: string
  readonly begunAtMillis: number
  /** Makes each attempt another one. */
  readonly nonce: string
}

const fromText = Schema.decodeUnknownOption(Schema.fromJsonString(Begun))

/** Only code that knows the session's secret can make it, so a state belongs to one session. */
const markOf = (crypto: Crypto["Service"], secret: string, text: string): string =>
  crypto.mac("session", `mail-connect\n${secret}\n${text}`)

export const stateOf = (crypto: Crypto["Service"], secret: string, begun: ConnectBegun): string => {
  const { address, begunAtMillis, displayName, nonce, provider, workspaceId } = begun
  const text = JSON.stringify({
    p: provider,
    a: address,
    n: displayName,
    w: workspaceId,
    at: begunAtMillis,
    x: nonce
  } satisfies typeof Begun.Type)
  const encoded = Buffer.from(text).toString("base64url")
  return `${encoded}.${markOf(crypto, secret, encoded)}`
}

const STATE = /^([A-Za-z0-9_-]{1,4000})\.([A-Za-z0-9_-]{43})$/

/** Null: not of this session and workspace, changed, or begun too long ago. */
export const begunOf = (
  crypto: Crypto["Service"],
  secret: string,
  state: string | null,
  at: { readonly workspaceId: string; readonly nowMillis: number }
): ConnectBegun | null => {
  const [, encoded = "", mark = ""] = STATE.exec(state ?? "") ?? []
  const expected = Buffer.from(markOf(crypto, secret, encoded))
  const given = Buffer.from(mark)
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return null
  return Option.match(fromText(Buffer.from(encoded, "base64url").toString()), {
    onNone: () => null,
    onSome: ({ a, at: begunAtMillis, n, p, w, x }) => {
      const age = at.nowMillis - begunAtMillis
      return w !== at.workspaceId || age < 0 || age > CONNECT_MINUTES * 60_000
        ? null
        : { provider: p, address: a, displayName: n, workspaceId: w, begunAtMillis, nonce: x }
    }
  })
}

/** The secret of the exchange (RFC 7636 §4.1). It leaves the host only with the code. */
export const verifierOf = (crypto: Crypto["Service"], secret: string, nonce: string): string =>
  crypto.mac("session", `mail-connect-verifier\n${secret}\n${nonce}`)

export const challengeOf = (crypto: Crypto["Service"], verifier: string): string =>
  Buffer.from(crypto.sha256Hex(verifier), "hex").toString("base64url")
