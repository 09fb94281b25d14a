import { UNDECLARED } from "@outbound/domain/outreach/sending/ramp.js"
import { sendsElsewhere } from "./sendsElsewhere.js"
import { DAY_MILLIS as DAY } from "@outbound/domain/kernel/durations.js"
import { Admin } from "@outbound/domain/app/Admin.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { OwnMailboxStore, sealAccount } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { type Mailbox, SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { SCOPES } from "@outbound/domain/verbs/Policy.js"
import { Clock, Effect, Redacted } from "effect"
import { MemoryMail } from "../mail/MemoryMail.js"
import { type Client, makeKey } from "./Client.js"
import { noteMailboxes } from "./Leftovers.js"

/** What an agent that sends and reads its trail may do. */
const TEAM_SCOPES = SCOPES.filter((scope) => scope !== "control:manage" && scope !== "reply:send")

let workspaces = 0

const account = (mailbox: Mailbox, sentFolder: string | null) => ({
  workspaceId: mailbox.workspaceId,
  mailboxId: mailbox.mailboxId,
  address: mailbox.address,
  displayName: mailbox.displayName,
  smtp: { host: "mail.acme.test", port: 465, security: "tls" as const },
  imap: { host: "mail.acme.test", port: 993, security: "tls" as const },
  username: mailbox.address,
  auth: "password" as const,
  secret: Redacted.make("secret"),
  sentFolder,
  keepsSent: true,
  keepsMessageIds: true
})

export interface Team {
  readonly client: Client
  readonly mailboxes: ReadonlyArray<Mailbox>
  readonly addresses: ReadonlyArray<string>
}

/** From this age on its mailboxes send a lot elsewhere, so that no ramp stands before other rules. */
const GROWN_DAYS = 28

/** A live workspace with mailboxes of its own, grown up unless said otherwise. */
export const team = (
  count: number,
  given: { readonly ageDays?: number; readonly sentFolder?: string | null; readonly kind?: "live" | "sandbox" } = {}
) =>
  Effect.gen(function* () {
    const admin = yield* Admin
    const sendings = yield* SendingStore
    const owns = yield* OwnMailboxStore
    const crypto = yield* Crypto
    const ids = yield* Ids
    const { atomically } = yield* UnitOfWork
    workspaces += 1
    const ownerEmail = `team-${workspaces}-${process.pid}@example.test`
    const { workspaceId } = yield* admin.createWorkspace({
      name: "Team",
      ownerEmail,
      kind: given.kind ?? "live",
      credits: credits("300"),
      postalAddress: "1 Main Street, Springfield"
    })
    const client = yield* makeKey(workspaceId, ownerEmail, { scopes: TEAM_SCOPES })
    const nowMillis = yield* Clock.currentTimeMillis
    const mailboxes = Array.from({ length: count }, (_, index): Mailbox => {
      const mailboxId = ids.next(nowMillis)
      return {
        workspaceId,
        mailboxId,
        kind: "own",
        operationId: null,
        domain: "acme.test",
        address: `own-${index}-${mailboxId}@acme.test`,
        displayName: "Jo Doe",
        state: "active",
        pauseReason: null,
        activeAtMillis: nowMillis,
        upkeepPaidUntilMillis: null,
        restsUntilMillis: null,
        createdAtMillis: nowMillis - (given.ageDays ?? 60) * DAY,
        ...((given.ageDays ?? GROWN_DAYS) >= GROWN_DAYS ? sendsElsewhere(nowMillis) : UNDECLARED)
      }
    })
    const sentFolder = given.sentFolder === undefined ? "Sent" : given.sentFolder
    yield* atomically(
      Effect.andThen(
        sendings.insertMailboxes(mailboxes),
        Effect.forEach(mailboxes, (mailbox) => owns.put(sealAccount(crypto, account(mailbox, sentFolder))))
      )
    )
    noteMailboxes(mailboxes)
    return { client, mailboxes, addresses: mailboxes.map(({ address }) => address) } satisfies Team
  }).pipe(Effect.orDie)

/** What the team's servers took, oldest first. */
export const taken = ({ addresses }: Team) => Effect.flatMap(MemoryMail, (mail) => mail.taken(addresses))
