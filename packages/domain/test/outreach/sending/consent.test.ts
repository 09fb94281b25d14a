import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import {
  authorizeUrlOf,
  consentUrl,
  failureWords,
  isEnough,
  PROVIDER_NAMES,
  refusalWords,
  scopeOf,
  tokenUrlOf
} from "../../../src/outreach/sending/connect/consent.js"
import { CONSENT_FAILURES, type MailClient } from "../../../src/outreach/sending/connect/MailClients.js"
import { GRANT_PROVIDERS } from "../../../src/outreach/sending/mailGrant.js"

const client = (provider: MailClient["provider"]): MailClient => ({
  provider,
  authorizeUrl: authorizeUrlOf(provider, "acme.example"),
  tokenUrl: tokenUrlOf(provider, "acme.example"),
  clientId: "id & more",
  clientSecret: Redacted.make("never in an address")
})

describe("consent at a provider of mailboxes", () => {
  it("is asked for with a code, a challenge, the mailbox, and the scopes of sending and reading alone", () => {
    for (const provider of GRANT_PROVIDERS) {
      const asked = { address: "jo+x@acme.test", state: "s.t", challenge: "c", redirectUri: "https://o.test/back" }
      const url = new URL(consentUrl(client(provider), asked))
      const of = Object.fromEntries(url.searchParams)
      assert.deepInclude(of, {
        response_type: "code",
        client_id: "id & more",
        redirect_uri: "https://o.test/back",
        state: "s.t",
        code_challenge: "c",
        code_challenge_method: "S256",
        login_hint: "jo+x@acme.test",
        scope: scopeOf(provider)
      })
      assert.notInclude(url.href, "never")
    }
    assert.strictEqual(scopeOf("google"), "https://mail.google.com/")
    assert.deepStrictEqual(scopeOf("microsoft").split(" "), [
      "https://outlook.office.com/SMTP.Send",
      "https://outlook.office.com/IMAP.AccessAsUser.All",
      "offline_access"
    ])
    // Without both, Google gives a refresh token only the first time.
    const google = new URL(
      consentUrl(client("google"), { address: "a@b.test", state: "", challenge: "", redirectUri: "" })
    )
    assert.deepInclude(Object.fromEntries(google.searchParams), { access_type: "offline", prompt: "consent" })
    assert.include(authorizeUrlOf("microsoft", "acme.example"), "/acme.example/oauth2/v2.0/authorize")
  })

  it("is enough only if sending and reading were both allowed, by whichever name the provider calls them", () => {
    assert.isTrue(isEnough("google", "https://mail.google.com/ openid"))
    assert.isFalse(isEnough("google", "openid"))
    assert.isFalse(isEnough("google", ""))
    assert.isTrue(isEnough("google", null))
    const both = "https://outlook.office365.com/IMAP.AccessAsUser.All https://outlook.office.com/smtp.send"
    assert.isTrue(isEnough("microsoft", both))
    assert.isTrue(isEnough("microsoft", "IMAP.AccessAsUser.All SMTP.Send"))
    assert.isFalse(isEnough("microsoft", "https://outlook.office.com/IMAP.AccessAsUser.All"))
    assert.isFalse(
      isEnough("microsoft", "https://evil.test/SMTP.Send https://outlook.office.com/IMAP.AccessAsUser.All")
    )
  })

  it("says of each way to fail what to do, and repeats nothing that a stranger can write", () => {
    for (const provider of GRANT_PROVIDERS) {
      for (const reason of CONSENT_FAILURES) {
        const says = failureWords(reason, provider)
        assert.include(says, "Nothing was stored.")
        assert.include(says, PROVIDER_NAMES[provider])
      }
      for (const error of [
        "access_denied",
        "consent_required",
        "server_error",
        "invalid_scope",
        "",
        "<b>x</b>",
        "a".repeat(99)
      ]) {
        const says = refusalWords(error, provider)
        assert.include(says, "Nothing was stored.")
        assert.notInclude(says, "<b>")
        assert.notInclude(says, "aaaa")
      }
      assert.include(refusalWords("odd_code", provider), "(odd_code)")
    }
  })
})
