import { Context } from "effect"

/** The use of a derived value. Each has its own key, derived from the server's secret by HKDF. */
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
  | "content"
  | "mail_mark"
  | "refresh"
  | "link_host"

/** What is stored sealed, each under its own key. */
export type SealPurpose =
  | "mailbox_secret"
  | "webhook_secret"
  | "later"
  | "own_key"
  | "chat_channel"
  | "crm_key"
  | "dns_zone"
  | "postmaster_grant"

/** Digests, MACs, sealed secrets and randomness. Pure except for `seal` and `randomToken`. Never logs its input. */
export class Crypto extends Context.Service<
  Crypto,
  {
    /** SHA-256 of the UTF-8 text, in lower-case hex (64 characters). */
    readonly sha256Hex: (text: string) => string
    /** HMAC-SHA-256 under the purpose's key, base64url without padding (43 characters). */
    readonly mac: (purpose: MacPurpose, text: string) => string
    /**
     * Encrypts and authenticates the text, as printable ASCII that names the key version. It opens only for the same
     * `boundTo`, so copying it to another row is useless.
     */
    readonly seal: (purpose: SealPurpose, text: string, boundTo: string) => string
    /** The sealed text. Null if it was sealed otherwise, changed, or bound to something else. */
    readonly open: (purpose: SealPurpose, sealed: string, boundTo: string) => string | null
    /** 32 random bytes, base64url without padding (43 characters). */
    readonly randomToken: () => string
  }
>()("@outbound/domain/kernel/ports/Crypto") {}
