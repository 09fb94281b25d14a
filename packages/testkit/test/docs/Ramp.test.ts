import { assert, it } from "@effect/vitest"
import { RAMP } from "@outbound/domain/outreach/sending/planner.js"
import { DEFAULT_CAPS } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const GUIDE = fileURLToPath(new URL("../../../../docs/guides/own-mailboxes.md", import.meta.url))

it("the guide tells the ramp of new mailboxes as it is", () => {
  const rows = [...readFileSync(GUIDE, "utf8").matchAll(/^\| (\d+) (?:to (\d+)|and more) +\| (\d+) +\|$/gm)]
  const told = rows.map(([, from, to, sends]) => [Number(from), to === undefined ? null : Number(to), Number(sends)])
  const ramp = RAMP.map(({ beforeDay, sends }, index) => [RAMP[index - 1]?.beforeDay ?? 0, beforeDay - 1, sends])
  assert.deepStrictEqual(told, [...ramp, [RAMP.at(-1)?.beforeDay ?? 0, null, DEFAULT_CAPS.mailboxDailySends]])
})
