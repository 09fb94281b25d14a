import { plus, zero } from "@outbound/domain/kernel/money/Credits.js"
import { type RunStanding, RunStore } from "@outbound/domain/calls/runs/RunStore.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { descending, keyOf } from "./Table.js"
import type { RunRow } from "./Tables.js"

const standingOf = ({ closedAtMillis, reserved, run, spent }: RunRow): RunStanding => ({
  run,
  spent: plus(spent, reserved),
  closedAtMillis
})

export const layer = memoryStore(RunStore, "RunStore", ({ read, write }) => ({
  insert: (run) =>
    write(({ runs }) =>
      runs.insert(keyOf(run.workspaceId, run.runId), { run, spent: zero, reserved: zero, closedAtMillis: null })
    ),
  list: (workspaceId, limit) =>
    read(({ runs }) =>
      runs
        .filter(({ run }) => run.workspaceId === workspaceId)
        .sort(
          descending(
            ({ run }) => run.createdAtMillis,
            ({ run }) => run.runId
          )
        )
        .slice(0, limit)
        .map(standingOf)
    ),
  lock: (workspaceId, runId) => read(({ runs }) => Option.map(runs.find(keyOf(workspaceId, runId)), standingOf)),
  close: (workspaceId, runId, atMillis) =>
    write(({ runs }) =>
      runs.update(keyOf(workspaceId, runId), (row) => ({
        ...row,
        run: { ...row.run, expiresAtMillis: Math.min(row.run.expiresAtMillis, atMillis) },
        closedAtMillis: atMillis
      }))
    )
}))
