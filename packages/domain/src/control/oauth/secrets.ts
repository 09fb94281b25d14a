import { Result } from "effect"
import { Base64Url, Hex } from "effect/encoding"
import type { Crypto } from "../../kernel/ports/Crypto.js"

type Digests = Pick<Crypto["Service"], "mac" | "randomToken" | "sha256Hex">

const ACCESS_TOKEN = /^svc_access_[A-Za-z0-9_-]{43}$/

/** Whether a bearer secret looks like an access token. API keys never do. */
export const isAccessToken = (bearer: string): boolean => ACCESS_TOKEN.test(bearer)

/** 256 random bits with a prefix for the kind. Only the SHA-256 is stored. */
export const newSecret = (crypto: Digests, kind: "access" | "refresh" | "code"): string =>
  `svc_${kind}_${crypto.randomToken()}`

/** The two tokens of a grant, in clear. */
export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
}

export const newPair = (crypto: Digests): TokenPair => ({
  accessToken: newSecret(crypto, "access"),
  refreshToken: newSecret(crypto, "refresh")
})

/**
 * What using a refresh token returns: derived from it under the server's key, so that every host returns the same for the
 * same token, and none has to keep it.
 */
export const pairAfter = (crypto: Digests, refreshToken: string): TokenPair => ({
  accessToken: `svc_access_${crypto.mac("refresh", `access\n${refreshToken}`)}`,
  refreshToken: `svc_refresh_${crypto.mac("refresh", `refresh\n${refreshToken}`)}`
})

/** RFC 7636 §4.1 and §4.2. */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

export const isChallenge = (text: string): boolean => CHALLENGE.test(text)

/** Whether a verifier matches a challenge (`S256`, the only method we accept). */
export const verifies = (crypto: Digests, verifier: string, challenge: string): boolean =>
  VERIFIER.test(verifier) && Base64Url.encode(Result.getOrThrow(Hex.decode(crypto.sha256Hex(verifier)))) === challenge
