import { Context } from "effect"

/** What a derived value is for. Each purpose has a key of its own, derived from the server's secret by HKDF. */
export type MacPurpose =
  | "confirmation_token"
  | "offer_token"
  | "suppression"
  | "person"
  | "request"
  | "cursor"
  | "session"
  | "unsubscribe"
  | "mcp"

/** What is kept sealed, each under a key of its own. */
export type SealPurpose = "mailbox_secret" | "webhook_secret" | "later" | "own_key"

/** Digests, keyed digests, sealed secrets and randomness. Pure but for `seal` and `randomToken`; never logs what it is given. */
export class Crypto extends Context.Tag("@outbound/domain/kernel/ports/Crypto")<
  Crypto,
  {
    /** SHA-256 of the UTF-8 text, in lower-case hex (64 characters). */
    readonly sha256Hex: (text: string) => string
    /** HMAC-SHA-256 under the purpose's key, base64url without padding (43 characters). */
    readonly mac: (purpose: MacPurpose, text: string) => string
    /**
     * The text encrypted and authenticated, as printable ASCII that says which version of the key sealed it. It opens
     * for the same `boundTo` alone: copied to another row, it is worth nothing.
     */
    readonly seal: (purpose: SealPurpose, text: string, boundTo: string) => string
    /** The text that was sealed; null where it was sealed otherwise, changed, or bound to something else. */
    readonly open: (purpose: SealPurpose, sealed: string, boundTo: string) => string | null
    /** 32 random bytes, base64url without padding (43 characters). */
    readonly randomToken: () => string
  }
>() {}
