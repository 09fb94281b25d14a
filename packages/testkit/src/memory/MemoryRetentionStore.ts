import { RetentionStore } from "@outbound/domain/control/erasure/RetentionStore.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"
import type { CallRow, SubjectRow, Tables } from "./Tables.js"

const forgetSubjects = (table: Tables["contactSubjects"], workspaceId: string, ref: string): void => {
  const gone = table.filter((row: SubjectRow) => row.workspaceId === workspaceId && row.ref === ref)
  for (const { subject } of gone) table.delete(keyOf(workspaceId, subject, ref))
}

/** People of campaigns stay: their calls are what was spent on them. */
const forgetNamed = ({ callSubjects, leads }: Tables, workspaceId: string, requestId: string): void => {
  const gone = callSubjects
    .filter((row) => row.workspaceId === workspaceId && row.ref === requestId)
    .filter(({ subject }) => leads.where("person", keyOf(workspaceId, subject)).length === 0)
  for (const { subject } of gone) callSubjects.delete(keyOf(workspaceId, subject, requestId))
}

const isOld = ({ record }: CallRow, beforeMillis: number, keptVerbs: ReadonlyArray<string>): boolean =>
  record.createdAtMillis < beforeMillis && !keptVerbs.includes(record.verb)

/** Persons are those whom the trail names. */
const peopleIn = ({ trail }: Tables) => {
  const people = new Map<string, { readonly workspaceId: string; readonly subjectId: string }>()
  for (const { email, workspaceId } of trail.filter((event) => event.email !== null)) {
    if (email !== null) people.set(keyOf(workspaceId, email), { workspaceId, subjectId: email })
  }
  return [...people.values()].sort(
    ascending(
      (one) => one.workspaceId,
      (one) => one.subjectId
    )
  )
}

export const layer = memoryStore(RetentionStore, "RetentionStore", ({ write }) => ({
  forgetUnseen: (untilMillis, after, limit) =>
    write((tables) => {
      const page = peopleIn(tables)
        .filter(
          ({ subjectId, workspaceId }) =>
            after === null ||
            workspaceId > after.workspaceId ||
            (workspaceId === after.workspaceId && subjectId > after.subjectId)
        )
        .slice(0, limit)
      let forgotten = 0
      for (const { subjectId: email, workspaceId } of page) {
        const person = keyOf(workspaceId, email)
        if ((tables.seen.get(person) ?? 0) > untilMillis) continue
        tables.seen.delete(person)
        tables.salts.delete(person)
        for (const event of tables.trail.where("workspace", workspaceId)) {
          if (event.email === email) tables.trail.set(event.eventId, { ...event, email: null })
        }
        forgotten += 1
      }
      return { forgotten, next: page.length === limit ? (page.at(-1) ?? null) : null }
    }),

  forgetRows: (beforeMillis, limit) =>
    write((tables) => {
      const { listRows } = tables
      const old = listRows
        .filter(({ endedAtMillis, input }) => input !== null && endedAtMillis !== null && endedAtMillis < beforeMillis)
        .slice(0, limit)
      for (const row of old) {
        listRows.set(keyOf(row.workspaceId, row.rowId), {
          ...row,
          input: null,
          body: null,
          uploaded: null,
          addressHash: null
        })
        forgetNamed(tables, row.workspaceId, row.rowId)
      }
      return old.length
    }),

  forgetOutcomes: (beforeMillis, keptVerbs, limit) =>
    write((tables) => {
      const old = tables.records
        .filter(({ outcome }) => outcome !== null)
        .flatMap(({ requestId }) => tables.calls.get(requestId) ?? [])
        .filter((call) => isOld(call, beforeMillis, keptVerbs))
        .slice(0, limit)
      for (const { idempotency, keyId, record, workspaceId } of old) {
        if (idempotency !== null) tables.records.delete(keyOf(keyId, idempotency.key, idempotency.phase))
        forgetNamed(tables, workspaceId, record.requestId)
      }
      return old.length
    }),

  forgetContacts: (nowMillis, limit) =>
    write((tables) => {
      const old = tables.cache.keysWhere(({ expiresAtMillis }) => expiresAtMillis <= nowMillis).slice(0, limit)
      for (const key of old) {
        tables.cache.delete(key)
        const [workspaceId = "", personKey = ""] = JSON.parse(key) as ReadonlyArray<string>
        forgetSubjects(tables.contactSubjects, workspaceId, personKey)
      }
      return old.length
    }),

  forgetVerdicts: (beforeMillis, limit) =>
    write(({ verdicts }) => verdicts.deleteFirst(limit, ({ checkedAtMillis }) => checkedAtMillis < beforeMillis)),

  forgetPeople: (beforeMillis, limit) =>
    write(({ directoryPeople }) =>
      directoryPeople.deleteFirst(limit, ({ kept }) => kept.importedAtMillis < beforeMillis)
    )
}))
