import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import {
  LAPSED_PER_WRITE_MAX,
  OUTCOMES_KEPT_DAYS,
  type SourceOutcomes,
  SourceMemoryStore
} from "@outbound/domain/sources/SourceMemoryStore.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

const dayOf = (millis: number): number => Math.floor(millis / DAY_MILLIS)

const counted = ({ sourceOutcomes }: Tables, source: string, nowMillis: number): SourceOutcomes =>
  sourceOutcomes
    .filter((row) => row.source === source && row.day > dayOf(nowMillis) - OUTCOMES_KEPT_DAYS)
    .reduce(
      (sum, { asked, found, tookMillis }) => ({
        asked: sum.asked + asked,
        found: sum.found + found,
        tookMillis: sum.tookMillis + tookMillis
      }),
      { asked: 0, found: 0, tookMillis: 0 }
    )

export const layer = memoryStore(SourceMemoryStore, "SourceMemoryStore", ({ read, write }) => ({
  place: (companyDomain, nowMillis) =>
    read(({ companyBoards }) =>
      Option.filter(companyBoards.find(companyDomain), ({ keptUntilMillis }) => keptUntilMillis > nowMillis)
    ),
  putPlace: (learnt) =>
    write(({ companyBoards }) => {
      companyBoards.set(learnt.companyDomain, learnt)
      companyBoards.deleteFirst(
        LAPSED_PER_WRITE_MAX,
        ({ keptUntilMillis }) => keptUntilMillis <= learnt.learntAtMillis,
        (a, b) => a.keptUntilMillis - b.keptUntilMillis
      )
    }),
  outcomes: (source, nowMillis) => read((tables) => counted(tables, source, nowMillis)),
  addOutcome: ({ isFound, source, tookMillis }, nowMillis) =>
    write((tables) => {
      const { sourceOutcomes } = tables
      const day = dayOf(nowMillis)
      const key = keyOf(source, String(day))
      const before = sourceOutcomes.get(key) ?? { source, day, asked: 0, found: 0, tookMillis: 0 }
      sourceOutcomes.set(key, {
        ...before,
        asked: before.asked + 1,
        found: before.found + (isFound ? 1 : 0),
        tookMillis: before.tookMillis + Math.max(0, Math.round(tookMillis))
      })
      const old = (row: typeof before) => row.source === source && row.day <= day - OUTCOMES_KEPT_DAYS
      sourceOutcomes.deleteFirst(OUTCOMES_KEPT_DAYS, old)
      return counted(tables, source, nowMillis)
    })
}))
