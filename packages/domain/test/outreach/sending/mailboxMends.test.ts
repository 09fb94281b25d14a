import { assert, describe, it } from "@effect/vitest"
import type { ProbeReport } from "../../../src/outreach/mail/MailProbe.js"
import { mendOf, mendsOf } from "../../../src/outreach/sending/mailboxMends.js"

const at = (smtp: string, imap: string, port = 465) => ({
  auth: "password" as const,
  smtp: { host: smtp, port, security: "tls" as const },
  imap: { host: imap, port: 993, security: "tls" as const }
})

const ACME = at("smtp.acme.test", "imap.acme.test")
const GMAIL = at("smtp.gmail.com", "imap.gmail.com")
const OFFICE = at("smtp.office365.com", "outlook.office365.com", 587)

describe("how to mend a mailbox that can't be used", () => {
  it("is said for what servers and networks really answer", () => {
    for (const [side, says, of, mend] of [
      // Google, https://support.google.com/mail/?p=InvalidSecondFactor and BadCredentials.
      ["smtp", "534-5.7.9 Application-specific password required. For more information, go to", GMAIL, "app password"],
      [
        "imap",
        "[ALERT] Application-specific password required: https://support.google.com/accounts/answer/185833",
        GMAIL,
        "app password"
      ],
      ["smtp", "535-5.7.8 Username and Password not accepted. 535 5.7.8 BadCredentials", GMAIL, "16 letters"],
      ["imap", "[AUTHENTICATIONFAILED] Invalid credentials (Failure)", GMAIL, "16 letters"],
      [
        "imap",
        "[ALERT] Your account is not enabled for IMAP use. Please visit your Gmail settings page",
        GMAIL,
        "IMAP is switched off"
      ],
      ["imap", "[ALERT] IMAP access is disabled for your domain.", GMAIL, "IMAP is switched off"],
      [
        "imap",
        "[ALERT] Please log in via your web browser: https://support.google.com",
        GMAIL,
        "Sign in to the mailbox in a browser"
      ],
      // Microsoft.
      [
        "smtp",
        "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.",
        OFFICE,
        "Authenticated SMTP"
      ],
      [
        "smtp",
        "535 5.7.139 Authentication unsuccessful, basic authentication is disabled.",
        OFFICE,
        "takes no passwords"
      ],
      [
        "smtp",
        "535 5.7.3 Authentication unsuccessful [LO6P265CA0005.GBRP265.PROD.OUTLOOK.COM]",
        OFFICE,
        "Microsoft takes no passwords"
      ],
      ["imap", "User is authenticated but not connected.", OFFICE, "another account"],
      ["imap", "AUTHENTICATE failed.", { ...OFFICE, auth: "oauth" as const }, "Consent again"],
      // Others.
      [
        "imap",
        "[AUTHENTICATIONFAILED] LOGIN Invalid credentials or IMAP is disabled sc=ebI8",
        ACME,
        "IMAP is switched off"
      ],
      ["smtp", "535 Authentication failed", at("smtp.fastmail.com", "imap.fastmail.com"), "app password"],
      ["smtp", "535 5.7.8 Error: authentication failed", ACME, "user name or password is wrong"],
      // The network.
      ["smtp", "getaddrinfo ENOTFOUND smtp.acme.test", ACME, "Correct the name of the SMTP server"],
      ["imap", "connect ECONNREFUSED 192.0.2.1:993", ACME, "Usual ports: 993"],
      ["smtp", "Connection timeout ETIMEDOUT", at("smtp.acme.test", "imap.acme.test", 25), "block port 25"],
      ["smtp", "Greeting never received", ACME, "A firewall"],
      [
        "smtp",
        "Greeting never received",
        { ...ACME, smtp: { host: "smtp.acme.test", port: 465, security: "starttls" as const } },
        "Use smtps://smtp.acme.test:465"
      ],
      ["imap", "examine: no answer in time", ACME, "A firewall"],
      [
        "smtp",
        "error:0A00010B:SSL routines:ssl3_get_record:wrong version number",
        at("smtp.acme.test", "i.test", 587),
        "smtp+starttls://smtp.acme.test:587"
      ],
      ["smtp", "self-signed certificate DEPTH_ZERO_SELF_SIGNED_CERT", ACME, "OUTBOUND_MAIL_CA"],
      ["imap", "NO [LIMIT] Too many simultaneous connections", ACME, "Close other programs"]
    ] as const) {
      assert.include(mendOf(side, says, of) ?? "", mend, says)
    }
  })

  it("is not said where nothing is known, so that nobody mends the wrong thing", () => {
    assert.isNull(mendOf("smtp", "The server said something of its own.", ACME))
    assert.isNull(mendOf("imap", "The test message was not found in INBOX or Junk within 60 seconds.", ACME))
  })

  it("is said once for both servers, in the order of the test", () => {
    const none = { state: "not_tried" } as const
    const probe: ProbeReport = {
      smtpLogin: { state: "failed", says: "The SMTP server failed: getaddrinfo ENOTFOUND smtp.acme.test" },
      imapLogin: { state: "failed", says: "The IMAP server refuses this user name and secret: LOGIN failed" },
      send: none,
      read: none,
      isJunk: false,
      sentFolder: null,
      keepsSent: false,
      keepsMessageIds: false,
      dkimSelectors: []
    }
    const mends = mendsOf(probe, ACME)
    assert.lengthOf(mends, 2)
    assert.include(mends[0], "SMTP server")
    const app = { state: "failed", says: "Application-specific password required" } as const
    assert.lengthOf(mendsOf({ ...probe, smtpLogin: app, imapLogin: app }, GMAIL), 1)
    const works = { state: "ok" } as const
    assert.deepStrictEqual(mendsOf({ ...probe, smtpLogin: works, imapLogin: works }, ACME), [])
  })
})
