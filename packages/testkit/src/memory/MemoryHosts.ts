import { Context, Effect, Layer } from "effect"
import { TestHosts, TestRows, TestSuspension } from "./Hooks.js"
import { Memory } from "./Memory.js"
import { makeHost } from "./MemoryCallJournal.js"
import { MemoryFaults } from "./MemoryFaults.js"
import type { Table } from "./Table.js"
import { suspendSending } from "./MemoryWorkspaceStore.js"

/** What the suites do to the in-memory stores that no port can do. */
export const layer: Layer.Layer<TestHosts | TestRows | TestSuspension, never, Memory | MemoryFaults> =
  Layer.effectContext(
    Effect.map(Effect.context<Memory | MemoryFaults>(), (context) =>
      Context.make(TestHosts, { start: Effect.provide(makeHost, context) }).pipe(
        Context.add(TestSuspension, {
          suspend: (workspaceId, atMillis, reason) =>
            Effect.provide(suspendSending(workspaceId, { atMillis, reason }), context)
        }),
        Context.add(TestRows, {
          standing: (text) =>
            Effect.orDie(
              Context.get(context, Memory).read(({ wings, ...core }) =>
                [...Object.entries(core), ...wings.all].flatMap(([name, table]) =>
                  (table as Table<unknown>).some((row) => shown(row).includes(text.toLowerCase())) ? [name] : []
                )
              )
            )
        })
      )
    )
  )

const shown = (row: unknown): string =>
  JSON.stringify(row, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value)).toLowerCase()
