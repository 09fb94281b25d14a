/** What stories of a domain's reputation begin with. */
import { AlertStore } from "@outbound/domain/control/alerts/AlertStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { type ReputationRule } from "@outbound/domain/outreach/reputation/DomainWatch.js"
import { ReputationStore } from "@outbound/domain/outreach/reputation/ReputationStore.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Clock, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { team, type Team } from "../../service/Team.js"
import { givenDomain } from "../reputation.js"

export const NOW = Date.UTC(2027, 2, 25, 9)

export const start = (rule: ReputationRule) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW)
    const of = yield* team(1)
    const domain = yield* givenDomain("acme.test", of.client.workspaceId)
    const { atomically } = yield* UnitOfWork
    const store = yield* ReputationStore
    yield* atomically(store.setRule(of.client.workspaceId, rule))
    return { of, domain, address: of.addresses[0] as string }
  })

export const mailboxOf = ({ client: { workspaceId }, mailboxes }: Team) =>
  Effect.flatMap(SendingStore, (store) =>
    Effect.map(store.mailbox(workspaceId, mailboxes[0]!.mailboxId), Option.getOrThrow)
  )

export const alertsOf = (workspaceId: string, kind: "dmarc_failing" | "records_missing" | "blocklisted" | "delisted") =>
  Effect.gen(function* () {
    const found = yield* (yield* AlertStore).causes(kind, yield* Clock.currentTimeMillis, 10_000)
    return found.filter((one) => one.workspaceId === workspaceId).map(({ says }) => says)
  })

/** An owner resumes the mailbox. */
export const resume = (of: Team) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const sendings = yield* SendingStore
    const mailbox = yield* mailboxOf(of)
    const activeAtMillis = yield* Clock.currentTimeMillis
    yield* atomically(sendings.updateMailboxes([{ ...mailbox, state: "active", pauseReason: null, activeAtMillis }]))
  })
