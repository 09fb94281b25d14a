import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import { DEFAULT_RULES, type WorkspaceRules } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { LeadMachine, type LeadState } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { VendorStore } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { VendorCampaignMachine } from "@outbound/domain/outreach/sending/vendor/VendorCampaignMachine.js"
import { Effect } from "effect"
import { Memory } from "../../src/memory/Memory.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import { Behaviour } from "../../src/providers/Faulty.js"
import type { Client } from "../../src/service/Client.js"
import { Faults } from "../../src/service/Service.js"

/** What reads pages in the sandbox. */
const READER = "sandbox_sites"

/** The template merges one statement, of which evidence may be given. */
export const CLAIM = [{ subject: "A question", body: "I read this: {{custom.claim|nothing}}. Is it so?" }]

/** Somebody of whom something is said, with the sandbox's own page as evidence. */
export const claimed = (name: string, claim = "exists in the sandbox"): JsonObject => ({
  email: `silent+${name}@magic.test`,
  company_name: "Yes-7",
  custom: { claim },
  evidence: {
    "custom.claim": {
      url: "https://yes-7.test/about",
      excerpt: "yes-7.test exists in the sandbox alone.",
      observed_at: "1969-12-30"
    }
  }
})

/** While the reader of pages reads none. */
export const unread = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Faults, ({ behave }) =>
    Effect.acquireUseRelease(
      behave(READER, Behaviour.Fail({ reason: "transient" })),
      () => effect,
      () => behave(READER, Behaviour.Answer())
    )
  )

/** How often pages were asked for. */
export const readings = Effect.flatMap(Faults, ({ calls }) => Effect.map(calls(READER), ({ length }) => length))

/** Hours of one's own: most live where the campaign is, one in Kathmandu. */
export const OWN_HOURS = {
  timezone: "UTC",
  days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  start_hour: 9,
  end_hour: 11,
  recipient_timezone: true
}

/** Somebody in Nepal. */
export const nepali = (name: string): JsonObject => ({
  email: `silent+${name}@magic.test`,
  custom: { country: "NP" }
})

export const within = <A, E, R>(write: Effect.Effect<A, E, R>) =>
  Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

export const ruled = ({ workspaceId }: Client, rules: Partial<WorkspaceRules>) =>
  within(Effect.flatMap(RuleStore, ({ setRules }) => setRules(workspaceId, { ...DEFAULT_RULES, ...rules })))

/** What a call uses of the stores until it is admitted, and then. */
export const usedBy = <A, E, R>(call: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { watch } = yield* MemoryFaults
    let made: A | null = null
    const all = yield* watch(Effect.tap(call, (answer) => Effect.sync(() => (made = answer))))
    const admitted = all.indexOf("CallJournal.admit")
    return { made: made as A, before: all.slice(0, admitted), after: all.slice(admitted + 1) }
  })

/** Who is in the campaign in this state, by name. */
export const namesIn = ({ workspaceId }: Client, campaignId: string, state: LeadState) =>
  Effect.flatMap(CampaignStore, (campaigns) =>
    Effect.map(campaigns.firstLeads(workspaceId, campaignId, [state], 99), (leads) =>
      leads.map(({ email }) => email.replace(/^silent\+|@.*$/g, "")).sort()
    )
  )

/** Long after everything. */
const NEVER = 10 ** 15

/** Gives a draft to a vendor that schedules by itself. It has confirmed one of its people, and nothing is due. */
export const toVendor = ({ workspaceId }: Client, campaignId: string, isPresent: (email: string) => boolean) =>
  within(
    Effect.gen(function* () {
      const vendors = yield* VendorStore
      const leads = yield* Effect.flatMap(CampaignStore, ({ firstLeads }) =>
        firstLeads(workspaceId, campaignId, LeadMachine.states, 99)
      )
      yield* vendors.insert({
        workspaceId,
        campaignId,
        vendor: "vendor",
        account: "service",
        state: VendorCampaignMachine.initial,
        ref: null,
        terms: null,
        askedUntilMillis: null,
        owesPause: false,
        cursor: null,
        readAtMillis: null,
        failures: 0,
        turn: 0
      })
      yield* vendors.addLeads(
        { workspaceId, campaignId },
        leads.map(({ campaignLeadId }) => campaignLeadId),
        NEVER
      )
      const present = leads.filter(({ email }) => isPresent(email)).map(({ campaignLeadId }) => campaignLeadId)
      const found = yield* vendors.lockLeads(workspaceId, present)
      yield* vendors.updateLeads(found.map((one) => ({ ...one, state: "present" as const })))
    })
  )

/** When the worker for its vendor next looks at the campaign; null: it is at no vendor, or not yet. */
export const dueAtVendor = (campaignId: string) =>
  Effect.flatMap(Memory, ({ read }) =>
    read(({ vendorCampaigns }) => {
      const [row] = vendorCampaigns.filter(({ campaign }) => campaign.campaignId === campaignId)
      return row?.dueAtMillis === NEVER ? null : (row?.dueAtMillis ?? null)
    })
  )

/** Nothing is due at the vendor any more, as after a round. */
export const settledAtVendor = (campaignId: string) =>
  Effect.flatMap(Memory, ({ atomically, write }) =>
    atomically(
      write(({ vendorCampaigns }) => {
        for (const key of vendorCampaigns.keysWhere(({ campaign }) => campaign.campaignId === campaignId))
          vendorCampaigns.update(key, (row) => ({ ...row, dueAtMillis: NEVER }))
      })
    )
  )

/** Whose hours have a window, of a campaign's people. */
export const windowsOf = (campaignId: string) =>
  Effect.flatMap(Memory, ({ read }) =>
    read(({ windows }) =>
      windows
        .filter((one) => one.campaignId === campaignId)
        .map(({ hours }) => hours)
        .sort()
    )
  )

/** The vendor has everybody whom the campaign holds. */
export const confirmedAtVendor = (campaignId: string) =>
  Effect.flatMap(Memory, ({ atomically, write }) =>
    atomically(
      write(({ vendorLeads }) => {
        for (const key of vendorLeads.keysWhere((one) => one.campaignId === campaignId))
          vendorLeads.update(key, (row) => ({ ...row, state: "present" as const }))
      })
    )
  )
