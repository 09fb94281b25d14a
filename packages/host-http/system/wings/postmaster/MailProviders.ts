import { type ConsentProvider, consentProvider } from "@outbound/testkit/mail/ConsentProvider.js"
import {
  ACCESS_FOR_TESTS,
  type GoogleForTests,
  googleForTests
} from "@outbound/testkit/wings/postmaster/GoogleForTests.js"
import { NODE_OPTIONS } from "@outbound/testkit/files/nodeOptions.js"
import type { MailBed } from "@outbound/testkit/mail/bed/MailBed.js"
import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { request } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { temporaryDirectory } from "../../support/Place.js"

const POSTMASTER = "gmailpostmastertools.googleapis.com"
const TOKENS = ["oauth2.googleapis.com", "login.microsoftonline.com"] as const
const SMTP = { google: "smtp.gmail.com", microsoft: "smtp.office365.com" } as const
const IMAP = { google: "imap.gmail.com", microsoft: "outlook.office365.com" } as const
const NAMES = ["localhost", POSTMASTER, ...TOKENS, ...Object.values(SMTP), ...Object.values(IMAP)]

/** Google and Microsoft as a host meets them: under their own names, with certificates that it trusts. */
export interface MailProviders {
  readonly consent: ConsentProvider
  readonly google: GoogleForTests
  /** Of every server here, and of the bed. */
  readonly identity: { readonly certificate: string; readonly key: string }
  /** Where people reach their pages. */
  readonly elsewhere: Readonly<Record<string, string>>
  /** What makes a host's network lead here, and its mail to the bed. */
  readonly environment: (bed: MailBed) => Readonly<Record<string, string>>
}

export const mailProviders: Effect.Effect<MailProviders, never, Scope.Scope> = Effect.gen(function* () {
  const consent = yield* consentProvider
  const google = yield* googleForTests
  const folder = yield* temporaryDirectory
  const [certificateFile, keyFile] = [join(folder, "certificate.pem"), join(folder, "key.pem")]
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
  const named = [
    "-subj",
    "/CN=mail providers of a test",
    "-addext",
    `subjectAltName=${NAMES.map((name) => `DNS:${name}`).join()}`
  ]
  const files = ["-days", "2", "-keyout", keyFile, "-out", certificateFile]
  execFileSync("openssl", ["req", "-x509", ...curve, ...named, ...files], { stdio: "ignore" })
  const identity = { certificate: readFileSync(certificateFile, "utf8"), key: readFileSync(keyFile, "utf8") }

  const server = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const made = createServer({ cert: identity.certificate, key: identity.key }, (incoming, outgoing) => {
        const { headers, method, url = "/" } = incoming
        const isPostmaster = headers.host === POSTMASTER
        const token = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? ""
        // The tools' server for tests knows one token: what is good for them here is that one there.
        const isGood = consent.allowedBy(token)?.scope.includes("/postmaster") === true
        const authorization = isGood ? `Bearer ${ACCESS_FOR_TESTS}` : headers.authorization
        const at = new URL(url, isPostmaster ? google.url : consent.tokenUrl)
        const passed = { ...headers, ...(authorization === undefined ? {} : { authorization }) }
        const asked = request(at, { method, headers: passed, agent: false }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(outgoing)
        })
        asked.on("error", () => outgoing.destroy())
        incoming.pipe(asked)
      })
      await new Promise<void>((listening) => made.listen(0, "127.0.0.1", listening))
      return made
    }),
    (made) =>
      Effect.promise(async () => {
        made.closeAllConnections()
        await new Promise((closed) => made.close(closed))
      })
  )
  const { port } = server.address() as AddressInfo
  const consentAt = new URL(consent.tokenUrl).origin
  return {
    consent,
    google,
    identity,
    elsewhere: { "https://accounts.google.com": consentAt, "https://login.microsoftonline.com": consentAt },
    environment: ({ authorityFile, ports }) => ({
      NODE_EXTRA_CA_CERTS: authorityFile,
      NODE_OPTIONS: `${NODE_OPTIONS} --import=${new URL("../../support/rerouted.mjs", import.meta.url).href}`,
      TEST_ROUTES: JSON.stringify({
        ...Object.fromEntries([POSTMASTER, ...TOKENS].map((name) => [`${name}:443`, port])),
        [`${SMTP.google}:465`]: ports.submissions,
        [`${IMAP.google}:993`]: ports.imaps,
        [`${SMTP.microsoft}:587`]: ports.submission,
        [`${IMAP.microsoft}:993`]: ports.imaps
      }),
      OUTBOUND_GOOGLE_CLIENT_ID: consent.clientId,
      OUTBOUND_GOOGLE_CLIENT_SECRET: consent.clientSecret,
      OUTBOUND_MICROSOFT_CLIENT_ID: consent.clientId,
      OUTBOUND_MICROSOFT_CLIENT_SECRET: consent.clientSecret
    })
  }
})
