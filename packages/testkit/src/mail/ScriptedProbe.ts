import { DomainRecords, RecordsUnavailable } from "@outbound/domain/outreach/mail/DomainRecords.js"
import { MailProbe, type ProbeReport } from "@outbound/domain/outreach/mail/MailProbe.js"
import type { MailAccount } from "@outbound/domain/outreach/mail/MailTransport.js"
import { Context, Effect, Layer } from "effect"

/** A mailbox that works, on a server that does what it should. */
export const WORKING: ProbeReport = {
  smtpLogin: { state: "ok" },
  imapLogin: { state: "ok" },
  send: { state: "ok" },
  read: { state: "ok" },
  isJunk: false,
  sentFolder: "Sent",
  keepsSent: true,
  keepsMessageIds: true,
  dkimSelectors: []
}

/** What trying mailboxes out comes to, and what was tried. */
export class ScriptedProbe extends Context.Service<
  ScriptedProbe,
  {
    /** What every probe from now on finds, where that differs from a mailbox that works. */
    readonly finds: (report: Partial<ProbeReport>) => Effect.Effect<void>
    /** The texts of these names; no others have any. Null: every domain is authenticated, as at first. */
    readonly publish: (texts: Readonly<Record<string, ReadonlyArray<string>>> | null) => Effect.Effect<void>
    /** Whether name servers answer; they do at first. */
    readonly answer: (doAnswer: boolean) => Effect.Effect<void>
    /** Every probe from now on takes as long as this. */
    readonly takes: (time: Effect.Effect<void>) => Effect.Effect<void>
    readonly probed: Effect.Effect<ReadonlyArray<MailAccount>>
  }
>()("@outbound/testkit/mail/ScriptedProbe") {}

/** What a domain that is authenticated publishes, by name. */
export const authenticated = (domain: string): Readonly<Record<string, ReadonlyArray<string>>> => ({
  [domain]: ["v=spf1 ip4:192.0.2.1 ~all"],
  [`default._domainkey.${domain}`]: ["v=DKIM1; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCB"],
  [`_dmarc.${domain}`]: [`v=DMARC1; p=none; rua=mailto:dmarc@${domain}`]
})

/** What stands at the name if the domain is authenticated. */
const everywhere = (name: string): ReadonlyArray<string> =>
  authenticated(name.replace(/^(?:[^.]+\._domainkey|_dmarc)\./, ""))[name] ?? []

/** Probes that reach no server, and records of no real domain. Each domain has a server for its mail. */
export const layer: Layer.Layer<ScriptedProbe | MailProbe | DomainRecords> = Layer.effectContext(
  Effect.sync(() => {
    let report = WORKING
    let taken: Effect.Effect<void> = Effect.void
    let published: Readonly<Record<string, ReadonlyArray<string>>> | null = null
    let isAnswering = true
    const probed: Array<MailAccount> = []
    const answered = (found: () => ReadonlyArray<string>) =>
      Effect.suspend(() =>
        isAnswering ? Effect.succeed(found()) : Effect.fail(new RecordsUnavailable({ cause: "silent" }))
      )
    return Context.make(ScriptedProbe, {
      finds: (given) => Effect.sync(() => void (report = { ...WORKING, ...given })),
      publish: (texts) => Effect.sync(() => void (published = texts)),
      takes: (time) => Effect.sync(() => void (taken = time)),
      answer: (doAnswer) => Effect.sync(() => void (isAnswering = doAnswer)),
      probed: Effect.sync(() => [...probed])
    }).pipe(
      Context.add(MailProbe, {
        probe: (account) =>
          Effect.suspend(() => {
            probed.push(account)
            return Effect.as(taken, report)
          })
      }),
      Context.add(DomainRecords, {
        mx: (domain) => answered(() => [`mail.${domain}`]),
        txt: (name) => answered(() => (published === null ? everywhere(name) : (published[name] ?? []))),
        a: () => Effect.succeed([]),
        cname: () => Effect.succeed([])
      })
    )
  })
)
