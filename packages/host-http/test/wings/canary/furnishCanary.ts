import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { Canary } from "@outbound/domain/wings/canary/Canary.js"
import { CanaryStore } from "@outbound/domain/wings/canary/CanaryStore.js"
import { Effect } from "effect"
import type { Tenant } from "../../support/Desk.js"
import type { Laid } from "../Furnish.js"

const HOUR = 3_600_000

/** Canaries are on; one was found in the inbox, one in junk, and one is looked for. */
export const furnishCanary = ({ email, workspaceId }: Tenant, nowMillis: number, newId: string) =>
  Effect.gen(function* () {
    const store = yield* CanaryStore
    const { atomically } = yield* UnitOfWork
    const plannedAtMillis = nowMillis - 5 * HOUR
    const found: Canary = {
      workspaceId,
      canaryId: newId,
      fromMailboxId: newId,
      toMailboxId: workspaceId,
      domain: "acme-mail.test",
      organisation: "google.com",
      day: Math.floor(plannedAtMillis / (24 * HOUR)),
      nth: 0,
      campaignId: workspaceId,
      variant: null,
      state: "inbox",
      plannedAtMillis,
      claimedAtMillis: plannedAtMillis,
      sentAtMillis: plannedAtMillis,
      arrivedAtMillis: plannedAtMillis + 90_000,
      lookedAtMillis: plannedAtMillis + HOUR,
      nextAtMillis: null,
      isRemoved: true,
      says: "",
      spf: "pass",
      dkim: "pass",
      dmarc: "pass",
      compauth: null
    }
    const nothing = { spf: null, dkim: null, dmarc: null, compauth: null, nextAtMillis: null, isRemoved: false }
    const id = (last: string) => newId.replace(/.$/, last)
    const all: ReadonlyArray<Canary> = [
      found,
      {
        ...found,
        canaryId: id("a"),
        nth: 1,
        organisation: "outlook.com",
        state: "junk",
        dkim: "fail",
        compauth: "fail"
      },
      {
        ...found,
        ...nothing,
        canaryId: id("b"),
        toMailboxId: id("b"),
        organisation: "yahoodns.net",
        state: "sent",
        arrivedAtMillis: null,
        lookedAtMillis: null,
        nextAtMillis: nowMillis + HOUR
      }
    ]
    yield* atomically(
      Effect.andThen(
        store.putSetting({
          workspaceId,
          isOn: true,
          setBy: email,
          setAtMillis: nowMillis - 48 * HOUR,
          nextAtMillis: nowMillis
        }),
        Effect.forEach(all, store.plan, { discard: true })
      )
    )
    const laid: Laid = { pages: [{ name: "canaries", path: "/console/settings/canaries" }] }
    return laid
  })
