import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { FollowUpRequest, LaterAnswer } from "@outbound/domain/sources/Later.js"
import { noAccess, CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { mailNameServer, type MailZone } from "@outbound/testkit/mail/NameServer.js"
import { Effect, Option } from "effect"
import { makeProber } from "../../../src/providers/prober/Prober.js"
import { proberDefaults, type ProberSettings } from "../../../src/providers/open/ProberSettings.js"
import { type Script, scriptedSmtp } from "./ScriptedSmtp.js"

export const TARGET = "jo@acme.test"

/** Takes one person, and refuses the rest by name. */
export const only =
  (...people: ReadonlyArray<string>) =>
  (address: string): string =>
    people.includes(address) ? "250 2.1.5 Ok" : `550 5.1.1 <${address}>: Recipient address rejected: User unknown`

/** Of servers that leave one waiting. */
export const impatient: Partial<ProberSettings> = { deadlineMillis: 1_500, greetingMillis: 250, commandMillis: 250 }

/** Long enough for a busy machine, where what is waited for comes. */
const patient: Partial<ProberSettings> = {
  heloName: "probe.outbound.test",
  allowPrivateTargets: true,
  deadlineMillis: 10_000,
  dnsMillis: 1_000,
  connectMillis: 2_000,
  greetingMillis: 3_000,
  commandMillis: 3_000,
  idleMillis: 5_000,
  hostPaceMillis: 0
}

/** What asks by way of it sees, and what it was told. */
export const watched = () => {
  const evidence: Array<JsonObject> = []
  const asked: Array<FollowUpRequest> = []
  const known = new Map<string, LaterAnswer>()
  const reach = {
    ...noAccess,
    evidence: (_source: string, facts: JsonObject) => Effect.sync(() => void evidence.push(facts)),
    later: {
      ...noAccess.later,
      find: (_source: string, subject: string) => Effect.sync(() => Option.fromNullishOr(known.get(subject))),
      ask: (request: FollowUpRequest) => Effect.sync(() => asked.push(request) > 0)
    }
  }
  const watch = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideService(effect, CurrentSourceAccess, reach)
  return { evidence, asked, known, watch }
}

/** A prober of these zones. */
export const proberOf = (zones: Readonly<Record<string, MailZone>>, settings: Partial<ProberSettings>) =>
  Effect.gen(function* () {
    const names = yield* mailNameServer(zones)
    const own = watched()
    const prober = yield* makeProber({ ...proberDefaults(), ...patient, resolvers: [names.address], ...settings })
    const verify = (email: string) => own.watch(prober.verifier.verify(email))
    return { ...own, names, prober, verify }
  })

export const ACME: Readonly<Record<string, MailZone>> = {
  "acme.test": { mx: [[10, "mx.acme.test"]] },
  "mx.acme.test": { a: ["127.0.0.1"] }
}

/** A prober, and the one mail server of `acme.test`. */
export const against = (script: Script, settings: Partial<ProberSettings> = {}) =>
  Effect.gen(function* () {
    const server = yield* scriptedSmtp(script)
    const made = yield* proberOf(ACME, { smtpPort: server.port, ...settings })
    return { ...made, server }
  })
