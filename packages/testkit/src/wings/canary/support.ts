import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { LongWork } from "@outbound/domain/kernel/ports/LongWork.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { DomainRecords } from "@outbound/domain/outreach/mail/DomainRecords.js"
import type { MailHeader } from "@outbound/domain/outreach/mail/mail.js"
import { type ArrivedMail, type MailboxSession, MailReader } from "@outbound/domain/outreach/mail/MailReader.js"
import { MailTransport } from "@outbound/domain/outreach/mail/MailTransport.js"
import { OwnMailboxStore, sealAccount } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { type Mailbox, SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { CanaryAdmin, layer as admin } from "@outbound/domain/wings/canary/CanaryAdmin.js"
import { makeCanaryHandler } from "@outbound/domain/wings/canary/canaryJob.js"
import { CanaryStore } from "@outbound/domain/wings/canary/CanaryStore.js"
import { Clock, Context, Duration, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { signIn } from "../../contracts/service/controlSupport.js"
import { campaign, type OwnService, people, type Team, team } from "../../contracts/service/ownStories.js"
import { MemoryMail, type TakenMail } from "../../mail/MemoryMail.js"
import { noteMailboxes } from "../../service/Leftovers.js"
import { sendsElsewhere } from "../../service/sendsElsewhere.js"

export type CanaryNeeds = OwnService | CanaryStore

interface Lying {
  readonly uid: number
  readonly folder: "INBOX" | "Junk"
  readonly atMillis: number
  readonly headers: ReadonlyArray<MailHeader>
  readonly from: string
  readonly subject: string
}

/** What the other mailboxes' servers do with what comes: a test lays letters down by hand, so that it can lose and delay them. */
export class Elsewhere {
  readonly #boxes = new Map<string, Array<Lying>>()
  /** Mailboxes whose server refuses the sign-in. */
  readonly closed = new Set<string>()
  /** Runs before a mailbox is looked into. */
  meanwhile: Effect.Effect<void> = Effect.void
  looks = 0

  /** A letter that a transport took arrives. `results`: what the server writes of its authentication, the newest first. */
  arrive({ from, mail }: TakenMail, folder: "INBOX" | "Junk", atMillis: number, results: ReadonlyArray<string> = []) {
    const box = this.#boxes.get(mail.to.address) ?? []
    this.#boxes.set(mail.to.address, box)
    const marked = mail.mark === null ? [] : [{ name: mail.mark.header.toLowerCase(), value: mail.mark.value }]
    const headers = [...results.map((value) => ({ name: "authentication-results", value })), ...marked]
    box.push({ uid: box.length + 1, folder, atMillis, headers, from, subject: mail.subject })
  }

  lying(address: string): ReadonlyArray<Lying> {
    return this.#boxes.get(address) ?? []
  }

  readonly reader = MailReader.of({
    findInSent: () => Effect.succeed("unknowable"),
    session: ({ address }) =>
      Effect.gen({ self: this }, function* () {
        this.looks += 1
        yield* this.meanwhile
        if (this.closed.has(address)) return yield* new ProviderFailure({ provider: "elsewhere", reason: "account" })
        const session: MailboxSession = {
          folders: ["INBOX", "Junk"],
          arrivals: ({ cursor, folder, limit, sinceMillis }) =>
            Effect.sync(() => {
              const behind = this.lying(address).filter(
                (one) => one.folder === folder && one.atMillis >= sinceMillis && one.uid > (cursor?.lastUid ?? 0)
              )
              const mails = behind.slice(0, limit).map(({ atMillis, from, headers, subject, uid }): ArrivedMail => ({
                folder,
                uidValidity: 1,
                uid,
                arrivedAtMillis: atMillis,
                size: 1,
                fromEmail: from,
                headers,
                subject
              }))
              return {
                mails,
                cursor: { folder, uidValidity: 1, lastUid: mails.at(-1)?.uid ?? 0 },
                more: behind.length > mails.length
              }
            }),
          content: () => Effect.succeed(null),
          discard: ({ uid }) =>
            Effect.sync(() => {
              const box = this.#boxes.get(address) ?? []
              const at = box.findIndex((one) => one.uid === uid)
              if (at >= 0) box.splice(at, 1)
              return at >= 0
            }),
          waitForMail: () => Effect.void
        }
        return session
      })
  })
}

/** Who receives the mail of which domain in these stories. */
const MX: Readonly<Record<string, string>> = {
  "acme.test": "mx1.first-host.test",
  "bravo.example": "mx.second-host.test"
}

const records = DomainRecords.of({
  mx: (domain) => Effect.succeed([MX[domain] ?? domain]),
  cname: () => Effect.succeed([]),
  a: () => Effect.succeed([]),
  txt: () => Effect.succeed([])
})

/** What a story expects to be there. */
export const there = <A>(value: A | undefined): A => {
  if (value === undefined) throw new Error("it is not there")
  return value
}

let named = 0

/** A connected mailbox at another provider. */
const another = (of: Team, domain: string) =>
  Effect.gen(function* () {
    const crypto = yield* Crypto
    const ids = yield* Ids
    const owns = yield* OwnMailboxStore
    const sendings = yield* SendingStore
    const { atomically } = yield* UnitOfWork
    const nowMillis = yield* Clock.currentTimeMillis
    const [first] = of.mailboxes
    const mailbox: Mailbox = {
      ...there(first),
      ...sendsElsewhere(nowMillis),
      mailboxId: ids.next(nowMillis),
      domain,
      address: `other-${(named += 1)}-${process.pid}@${domain}`,
      displayName: "Kim Roe"
    }
    yield* atomically(
      Effect.andThen(
        sendings.insertMailboxes([mailbox]),
        owns.put(
          sealAccount(crypto, {
            workspaceId: mailbox.workspaceId,
            mailboxId: mailbox.mailboxId,
            address: mailbox.address,
            displayName: mailbox.displayName,
            smtp: { host: "mail.second-host.test", port: 465, security: "tls" },
            imap: { host: "mail.second-host.test", port: 993, security: "tls" },
            username: mailbox.address,
            auth: "password",
            secret: Redacted.make("secret"),
            sentFolder: "Sent",
            keepsSent: true,
            keepsMessageIds: true
          })
        )
      )
    )
    noteMailboxes([mailbox])
    return mailbox
  }).pipe(Effect.orDie)

/**
 * A workspace with a mailbox at each of two providers, and a campaign that runs from both, whose people are all to be written to
 * much later. Canaries are off.
 */
export const twoProviders = Effect.gen(function* () {
  const of = yield* team(1)
  const from = there(of.mailboxes[0])
  const to = yield* another(of, "bravo.example")
  const both: Team = { ...of, mailboxes: [from, to], addresses: [from.address, to.address] }
  const sequence = [
    { subject: "A question, {{first_name|there}}", body: "Hello {{first_name|there}}, is it {{custom.tool}}?" }
  ]
  const recipients = people(2, `canary${(named += 1)}-`).map((one) => ({ ...one, custom: { tool: "a hammer" } }))
  const campaignId = yield* campaign(both, {
    sequence,
    recipients,
    schedule: { timezone: "UTC", days: ["sun"], start_hour: 3, end_hour: 4 }
  })
  const by = yield* signIn(of.client.ownerEmail)
  const world = new Elsewhere()
  const quiet = Layer.succeed(LongWork, { announce: () => Effect.void })
  const canaries = Context.get(yield* Layer.build(Layer.provide(Layer.fresh(admin), quiet)), CanaryAdmin)
  const mail = yield* MemoryMail
  const transport = yield* MailTransport
  const handlerWith = (sent: MailTransport["Service"] = transport) =>
    makeCanaryHandler.pipe(
      Effect.provideService(DomainRecords, records),
      Effect.provideService(MailReader, world.reader),
      Effect.provideService(MailTransport, sent)
    )
  const handler = yield* handlerWith()
  const { workspaceId } = of.client
  const store = yield* CanaryStore
  return {
    by,
    again: signIn(of.client.ownerEmail),
    campaignId,
    canaries,
    client: of.client,
    from,
    to,
    store,
    world,
    handlerWith,
    /** The job, once. */
    turn: handler(workspaceId),
    later: (duration: Duration.Input) => Effect.andThen(TestClock.adjust(duration), handler(workspaceId)),
    /** The newest first. */
    all: Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => store.since(workspaceId, nowMillis - 30 * 86_400_000)),
    /** Canaries that left, of either mailbox. */
    left: mail.taken(both.addresses)
  }
})
