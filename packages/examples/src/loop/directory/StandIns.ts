/** Real servers of this machine in the place of those of the lists' domains: a name server, and a mail server. */
import { Effect, type Scope } from "effect"
import type { AddressInfo } from "node:net"
import { domainToASCII } from "node:url"
import { SMTPServer } from "smtp-server"
import { mailNameServer } from "@outbound/testkit/mail/NameServer.js"
import type { Addresses } from "./Addresses.js"

export interface StandIns {
  /** The name server, as `address:port`. */
  readonly resolver: string
  /** Where every domain's mail server listens. */
  readonly smtpPort: number
  /** How many recipients the mail server was asked about. */
  readonly asked: () => number
}

const LOCALHOST = "127.0.0.1"

const domainOf = (address: string): string => domainToASCII(address.slice(address.lastIndexOf("@") + 1)).toLowerCase()

const noSuchUser = Object.assign(new Error("No such user here"), { responseCode: 550 })
const noMail = Object.assign(new Error("This server takes no mail"), { responseCode: 554 })

/**
 * A mail server that accepts these addresses and refuses others; at `takesAll` it accepts everything. A message is never
 * taken.
 */
export const mailServer = (
  addresses: Addresses,
  takesAll: string | null
): Effect.Effect<Omit<StandIns, "resolver">, never, Scope.Scope> =>
  Effect.gen(function* () {
    let asked = 0
    const server = new SMTPServer({
      name: "mail.stand-in.test",
      authOptional: true,
      disableReverseLookup: true,
      logger: false,
      onRcptTo: ({ address }, _session, done) => {
        asked += 1
        done(addresses.has(address) || domainOf(address) === takesAll ? null : noSuchUser)
      },
      onData: (stream, _session, done) => {
        stream.resume()
        stream.on("end", () => done(noMail))
      }
    })
    // A client that goes away in the middle is none of its failures.
    server.on("error", () => undefined)
    const smtpPort = yield* Effect.acquireRelease(
      Effect.callback<number>((resume) => {
        server.listen(0, LOCALHOST, () => resume(Effect.succeed((server.server.address() as AddressInfo).port)))
      }),
      () => Effect.callback<void>((resume) => server.close(() => resume(Effect.void)))
    )
    return { smtpPort, asked: () => asked }
  })

/** The mail server of the lists' domains, and the name server that leads to it. */
export const standIns = (addresses: Addresses, takesAll: string | null): Effect.Effect<StandIns, never, Scope.Scope> =>
  Effect.gen(function* () {
    const servers = yield* mailServer(addresses, takesAll)
    const zones = addresses.domains.flatMap((domain) => [
      [domain, { mx: [[10, `mail.${domain}`]] as const }] as const,
      [`mail.${domain}`, { a: [LOCALHOST] }] as const
    ])
    const { address: resolver } = yield* mailNameServer(Object.fromEntries(zones))
    return { ...servers, resolver }
  })

/** What live workspaces are served by: what needs no vendor. */
export const providersOf = ({ resolver, smtpPort }: StandIns) => ({
  ports: {
    lead_source: ["directory"],
    company_source: ["directory"],
    contact_enricher: ["directory"],
    email_verifier: ["prober"]
  },
  prober: {
    resolvers: [resolver],
    smtp_port: smtpPort,
    // The stand-ins are on this machine; servers in the world are never at such addresses.
    allow_private_targets: true,
    helo_name: "localhost",
    host_pace_millis: 0
  }
})
