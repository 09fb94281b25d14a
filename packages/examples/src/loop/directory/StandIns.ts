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
 * Accepts the addresses that stand in the lists and refuses others; at `takesAll` it accepts everything. A message is
 * never taken.
 */
export const standIns = (addresses: Addresses, takesAll: string | null): Effect.Effect<StandIns, never, Scope.Scope> =>
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
    const zones = addresses.domains.flatMap((domain) => [
      [domain, { mx: [[10, `mail.${domain}`]] as const }] as const,
      [`mail.${domain}`, { a: [LOCALHOST] }] as const
    ])
    const { address: resolver } = yield* mailNameServer(Object.fromEntries(zones))
    return { resolver, smtpPort, asked: () => asked }
  })
