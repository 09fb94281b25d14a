import { Context } from "effect"

/** What a derived value is for. Each purpose has a key of its own, derived from the server's secret by HKDF. */
export type MacPurpose = "confirmation_token" | "suppression" | "person" | "cursor" | "session" | "unsubscribe" | "mcp"

/** Digests, keyed digests and randomness. Pure but for `randomToken`; never logs what it is given. */
export class Crypto extends Context.Tag("@outbound/domain/ports/Crypto")<
  Crypto,
  {
    /** SHA-256 of the UTF-8 text, in lower-case hex (64 characters). */
    readonly sha256Hex: (text: string) => string
    /** HMAC-SHA-256 under the purpose's key, base64url without padding (43 characters). */
    readonly mac: (purpose: MacPurpose, text: string) => string
    /** 32 random bytes, base64url without padding (43 characters). */
    readonly randomToken: () => string
  }
>() {}
