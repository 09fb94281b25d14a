import { Domains } from "@outbound/domain/control/domains/Domains.js"
import { makeSendingHealth, type SendingHealth } from "@outbound/domain/control/reads/sendingHealth.js"
import { isWireError } from "@outbound/domain/kernel/errors/Wire.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import type { PasteFacts } from "@outbound/domain/outreach/authentication/recordsToPaste.js"
import { mailHostOf } from "@outbound/domain/outreach/domains/wishesOf.js"
import { MailboxAdmin } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { Effect, Option } from "effect"
import { type Given, maybe } from "../pages.js"
import type { ActingPlaces } from "./AdviceCard.js"

/** What the page of sending health is read from. */
export const HEALTH_NEEDS = {
  domains: maybe(Domains),
  healthOf: makeSendingHealth,
  mailboxes: maybe(MailboxAdmin),
  workspaces: WorkspaceStore
}

export interface ShownHealth {
  readonly health: SendingHealth
  readonly places: ActingPlaces
  /** What says which records a domain shall have. */
  readonly factsOf: (domain: string) => PasteFacts
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1)

export const makeReadHealth =
  ({ domains, healthOf, mailboxes, workspaces }: Given<typeof HEALTH_NEEDS>) =>
  (workspaceId: string) =>
    Effect.gen(function* () {
      const found = yield* workspaces.get(workspaceId)
      // A sandbox has neither own mailboxes nor domains.
      const isLive = Option.exists(found, ({ kind }) => kind === "live")
      const { brought, health, own } = yield* Effect.all(
        {
          health: healthOf(workspaceId),
          own: isLive && mailboxes !== null ? mailboxes.list(workspaceId) : Effect.succeed([]),
          brought: isLive && domains !== null ? domains.list(workspaceId) : Effect.succeed([])
        },
        { concurrency: "unbounded" }
      )
      const factsOf = (domain: string): PasteFacts => {
        const there = own.filter(({ address }) => domainOf(address) === domain)
        const hosts = new Set(there.map(({ smtp }) => mailHostOf(smtp.host)))
        const [mailHost = "other"] = hosts
        return {
          domain,
          wishes: brought.find((one) => one.domain === domain)?.wishes ?? null,
          mailHost: hosts.size === 1 ? mailHost : "other",
          reportsTo: there[0]?.address ?? null
        }
      }
      const shown: ShownHealth = {
        health,
        places: {
          domains: new Map(brought.map(({ domain, domainId }) => [domain, `/console/domains/${domainId}`])),
          mailboxes: new Map(own.map(({ address, mailboxId }) => [address, mailboxId])),
          hasDomains: isLive && domains !== null
        },
        factsOf
      }
      return shown
    }).pipe(
      Effect.catchTag("ControlRefused", (error) => Effect.die(error)),
      Effect.catchIf(isWireError, (error) => Effect.die(error))
    )
