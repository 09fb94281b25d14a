import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { ownValue } from "@outbound/domain/kernel/sequences/template.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import {
  ContentStore,
  type ShownFilter,
  type ShownPerson
} from "@outbound/domain/outreach/launching/content/ContentStore.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending, descending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

const peopleOf = ({ shownPeople }: Tables, workspaceId: string, approvalId: string): ReadonlyArray<ShownPerson> =>
  shownPeople
    .where("approval", keyOf(workspaceId, approvalId))
    .map(({ person }) => person)
    .sort(ascending(({ shownId }) => shownId))

const isWithin = (text: string, whole: string): boolean => whole.toLowerCase().includes(text.toLowerCase())

const textOf = ({ companyName, custom, email, firstName, lastName }: ShownPerson): string =>
  [email, firstName, lastName, companyName, Object.values(custom).join(" ")].filter((one) => one !== null).join(" ")

const matches =
  ({ having, host, look, text }: ShownFilter) =>
  (person: ShownPerson): boolean =>
    (look === null || person.looks.includes(look)) &&
    (host === null || person.hosts.includes(host)) &&
    (having === null || ownValue(person, having.variable) === having.value) &&
    (text === null || isWithin(text, textOf(person)))

const byHash = (people: ReadonlyArray<ShownPerson>): ReadonlyMap<string, string> =>
  new Map(people.map(({ addressHash, digest }) => [addressHash, digest]))

export const layer = memoryStore(ContentStore, "ContentStore", ({ read, write }) => ({
  insert: (workspaceId, approvalId, people) =>
    write(({ shownPeople }) => {
      for (const person of people) {
        shownPeople.insert(keyOf(workspaceId, person.shownId), { workspaceId, approvalId, person })
      }
    }),
  forget: (workspaceId, target) =>
    write((tables) => {
      const [, ...old] = tables.approvals
        .filter((one) => one.workspaceId === workspaceId && one.target === target)
        .filter(({ state }) => ApprovalMachine.is.superseded(state))
        .sort(
          descending(
            ({ createdAtMillis }) => createdAtMillis,
            ({ approvalId }) => approvalId
          )
        )
      for (const { approvalId } of old) {
        for (const { shownId } of peopleOf(tables, workspaceId, approvalId)) {
          tables.shownPeople.delete(keyOf(workspaceId, shownId))
        }
      }
    }),
  digests: (workspaceId, approvalId) => read((tables) => byHash(peopleOf(tables, workspaceId, approvalId))),
  overlapping: (workspaceId, campaignId, addressHashes) =>
    read(({ campaigns, leads }) => {
      const isElsewhere = (addressHash: string): boolean =>
        leads.where("person", keyOf(workspaceId, addressHash)).some((lead) => {
          const state = campaigns.get(keyOf(workspaceId, lead.campaignId))?.state
          return lead.campaignId !== campaignId && LeadMachine.is.open(lead.state) && CampaignMachine.is.launched(state)
        })
      return new Set(addressHashes.filter(isElsewhere)).size
    }),
  people: (workspaceId, approvalId, filter, { after, before, limit }) =>
    read((tables) => {
      const found = peopleOf(tables, workspaceId, approvalId).filter(matches(filter))
      return before === undefined
        ? found.filter(({ shownId }) => after === null || shownId > after).slice(0, limit)
        : found.filter(({ shownId }) => shownId < before).slice(-limit)
    }),
  person: (workspaceId, approvalId, shownId) =>
    read(({ shownPeople }) => {
      const row = shownPeople.get(keyOf(workspaceId, shownId))
      return row?.approvalId === approvalId ? Option.some(row.person) : Option.none()
    }),
  values: (workspaceId, approvalId, variable, { limit, offset, text }) =>
    read((tables) => {
      const counts = new Map<string | null, number>()
      for (const person of peopleOf(tables, workspaceId, approvalId)) {
        const value = ownValue(person, variable)
        if (text === null || (value !== null && isWithin(text, value))) counts.set(value, (counts.get(value) ?? 0) + 1)
      }
      return [...counts]
        .map(([value, people]) => ({ value, people }))
        .sort(
          ascending(
            ({ people }) => people,
            ({ value }) => value ?? ""
          )
        )
        .slice(offset, offset + limit)
    }),
  differences: (workspaceId, earlierId, approvalId) =>
    read((tables) => {
      const old = byHash(peopleOf(tables, workspaceId, earlierId))
      const now = byHash(peopleOf(tables, workspaceId, approvalId))
      return {
        added: [...now.keys()].filter((hash) => !old.has(hash)).length,
        removed: [...old.keys()].filter((hash) => !now.has(hash)).length,
        changed: [...now].filter(([hash, digest]) => old.has(hash) && old.get(hash) !== digest).length
      }
    })
}))
