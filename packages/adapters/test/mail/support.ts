import type { MailAccount, MailSecurity, OutgoingMail } from "@outbound/domain/outreach/mail/MailTransport.js"
import { MailTransport } from "@outbound/domain/outreach/mail/MailTransport.js"
import { freshId } from "@outbound/testkit/contracts/fixtures.js"
import { TEST_AUTHORITY, TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "@outbound/testkit/mail/certificates.js"
import { Effect, Redacted } from "effect"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { layer } from "../../src/mail/Smtp.js"
import type { SmtpDeadlines } from "../../src/mail/SmtpClient.js"

export const PASSWORD = "open sesame"
export const TOKEN = "ya29.token"

/** Short enough for a test that waits for one, long enough for a busy machine. */
export const DEADLINES: SmtpDeadlines = {
  connect: 5_000,
  greeting: 4_000,
  login: 4_000,
  envelope: 4_000,
  content: 4_000
}

export const makeAccount = (
  port: number,
  given: Partial<MailAccount> & { readonly security?: MailSecurity } = {}
): MailAccount => {
  const { security = "none", ...rest } = given
  return {
    workspaceId: freshId(),
    mailboxId: freshId(),
    address: "jo@acme.test",
    displayName: "Jo Doe",
    smtp: { host: "127.0.0.1", port, security },
    imap: { host: "127.0.0.1", port: 1, security },
    username: "jo@acme.test",
    auth: "password",
    secret: Redacted.make(PASSWORD),
    sentFolder: "Sent",
    keepsSent: true,
    keepsMessageIds: true,
    ...rest
  }
}

export const makeMail = (given: Partial<OutgoingMail> = {}): OutgoingMail => ({
  messageId: `${freshId()}@acme.test`,
  mark: { header: "X-Lunedaki", value: `${freshId()}.${"m".repeat(22)}` },
  from: { address: "jo@acme.test", name: "Jo Doe" },
  to: { address: "ann@example.com", name: "Ann" },
  subject: "Hello",
  text: "Hi Ann,\n\n.hidden dots are kept\n\n--\n1 Main Street\n",
  references: [],
  html: null,
  unsubscribeUrl: "https://outbound.test/u/0190/abc.def",
  ...given
})

/** A claim that counts how often it was asked. */
export const countedClaim = (answer: boolean) => {
  const asked = { times: 0 }
  const claim = Effect.sync(() => {
    asked.times += 1
    return answer
  })
  return { asked, claim }
}

const withCa = { ca: TEST_AUTHORITY, deadlines: DEADLINES }

/** Opens a session and runs `use` in it, as a host does that trusts the tests' authority. */
export const inSession = <A, E, R>(
  account: MailAccount,
  use: (session: Effect.Success<ReturnType<MailTransport["Service"]["session"]>>) => Effect.Effect<A, E, R>,
  options: { readonly ca: string | null; readonly deadlines: SmtpDeadlines } = withCa
) =>
  Effect.flatMap(MailTransport, (transport) => Effect.scoped(Effect.flatMap(transport.session(account), use))).pipe(
    Effect.provide(layer(options))
  )

export const sendOne = (
  account: MailAccount,
  mail: OutgoingMail,
  claim: Effect.Effect<boolean> = Effect.succeed(true)
) => inSession(account, (session) => session.send(mail, claim))

export interface TakenMail {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly raw: string
}

/** A real SMTP server with TLS, password and token, that keeps what it takes. */
export const mailServer = (options: SMTPServerOptions = {}) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly taken: Array<TakenMail>; readonly server: SMTPServer }>(
      (resume) => {
        const taken: Array<TakenMail> = []
        const server = new SMTPServer({
          key: TEST_CERTIFICATE_KEY,
          cert: TEST_CERTIFICATE,
          authMethods: ["PLAIN", "XOAUTH2"],
          disableReverseLookup: true,
          onAuth: ({ accessToken, method, password, username }, _session, done) => {
            const isRight = method === "XOAUTH2" ? accessToken === TOKEN : password === PASSWORD
            return isRight && username === "jo@acme.test"
              ? done(null, { user: username })
              : done(Object.assign(new Error("5.7.8 Wrong"), { responseCode: 535 }))
          },
          onData: (stream, session, done) => {
            const chunks: Array<Buffer> = []
            stream.on("data", (chunk: Buffer) => chunks.push(chunk))
            stream.on("end", () => {
              const { mailFrom, rcptTo } = session.envelope
              taken.push({
                from: mailFrom === false ? "" : mailFrom.address,
                to: rcptTo.map(({ address }) => address),
                raw: Buffer.concat(chunks).toString("utf8")
              })
              done()
            })
          },
          ...options
        })
        server.on("error", () => undefined)
        server.listen(0, "127.0.0.1", () => {
          const address = server.server.address()
          if (address === null || typeof address === "string") throw new Error("the server has no port")
          resume(Effect.succeed({ port: address.port, taken, server }))
        })
      }
    ),
    ({ server }) => Effect.callback<void>((done) => void server.close(() => done(Effect.void)))
  )
