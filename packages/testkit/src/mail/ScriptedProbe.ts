import { DomainRecords } from "@outbound/domain/outreach/mail/DomainRecords.js"
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
    /** The texts of these names; no others have any. */
    readonly publish: (texts: Readonly<Record<string, ReadonlyArray<string>>>) => Effect.Effect<void>
    /** Every probe from now on takes as long as this. */
    readonly takes: (time: Effect.Effect<void>) => Effect.Effect<void>
    readonly probed: Effect.Effect<ReadonlyArray<MailAccount>>
  }
>()("@outbound/testkit/mail/ScriptedProbe") {}

/** Probes that reach no server, and records that stand nowhere. Each domain has a server for its mail. */
export const layer: Layer.Layer<ScriptedProbe | MailProbe | DomainRecords> = Layer.effectContext(
  Effect.sync(() => {
    let report = WORKING
    let taken: Effect.Effect<void> = Effect.void
    let published: Readonly<Record<string, ReadonlyArray<string>>> = {}
    const probed: Array<MailAccount> = []
    return Context.make(ScriptedProbe, {
      finds: (given) => Effect.sync(() => void (report = { ...WORKING, ...given })),
      publish: (texts) => Effect.sync(() => void (published = texts)),
      takes: (time) => Effect.sync(() => void (taken = time)),
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
        mx: (domain) => Effect.succeed([`mail.${domain}`]),
        txt: (name) => Effect.sync(() => published[name] ?? []),
        a: () => Effect.succeed([]),
        cname: () => Effect.succeed([])
      })
    )
  })
)
