import { assert, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type AnyMachine, machines } from "./machines.js"

const ADAPTERS = fileURLToPath(new URL("../../adapters/src/", import.meta.url))

/** The tables whose rows have a state, and the machine of each. */
const MACHINE_OF: Readonly<Record<string, string>> = {
  api_keys: "key",
  approval_notices: "notice",
  approvals: "approval",
  campaign_day_counts: "campaign_lead",
  campaign_leads: "campaign_lead",
  campaigns: "campaign",
  change_requests: "change request",
  crm_writes: "crm_write",
  link_hosts: "link host",
  list_rows: "list_row",
  mailboxes: "mailbox",
  messages: "message",
  operations: "operation",
  payments: "payment",
  sending_domains: "sending domain",
  sent_replies: "sent_reply",
  vendor_campaigns: "vendor_campaign",
  vendor_leads: "vendor_lead",
  webhook_deliveries: "webhook_delivery",
  webhook_endpoints: "webhook_endpoint"
}

/** Tables whose `status` is what an answer said, and no state that changes. */
const WITHOUT_MACHINE = ["email_verdicts", "requests"]

const TABLE = new RegExp(
  `\\b(${[...Object.keys(MACHINE_OF), ...WITHOUT_MACHINE].join("|")})(?:[ \\n]+(?:AS )?([a-z]\\w*))?`,
  "g"
)
const COMPARED = /(?:\b(\w+)\.)?\b(?:state|status) *(?:=|<>|(?:NOT )?IN) *(\(?'[a-z_]+'(?:, *'[a-z_]+')*)/g

interface Found {
  readonly file: string
  readonly text: string
  readonly states: ReadonlyArray<string>
  /** The machines that it may be about: of the tables that have its alias in the file, or of all that the file names. */
  readonly of: ReadonlyArray<AnyMachine>
}

const foundIn = (file: string, text: string, all: ReadonlyArray<AnyMachine>): ReadonlyArray<Found> => {
  const machineOf = (table: string) => all.filter(({ name }) => name === MACHINE_OF[table])
  const tables = [...text.matchAll(TABLE)].map(([, table = "", alias]) => ({ table, alias }))
  /** `EXCLUDED` is a row for the table that the statement inserts into. */
  const insertedAt = (index: number) => [...text.slice(0, index).matchAll(/INSERT INTO (\w+)/g)].at(-1)?.[1]
  return [...text.matchAll(COMPARED)].map(({ index, 0: whole, 1: alias, 2: list = "" }) => {
    const named = alias === "EXCLUDED" ? insertedAt(index) : alias
    const meant = tables.filter((one) => named !== undefined && (one.alias === named || one.table === named))
    const of = [...new Set((meant.length > 0 ? meant : tables).flatMap(({ table }) => machineOf(table)))]
    return { file, text: whole, states: [...list.matchAll(/[a-z_]+/g)].map(([state]) => state), of }
  })
}

const found = async (): Promise<ReadonlyArray<Found>> => {
  const all = await machines()
  return readdirSync(ADAPTERS, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes("migrations/"))
    .flatMap((file) => foundIn(file, readFileSync(ADAPTERS + file, "utf8"), all))
}

const shown = ({ file, text }: Found): string => `${file}: ${text}`

it("a state that a statement names is one of the machine of its table", async () => {
  const each = await found()
  assert.isAbove(each.length, 100)
  const unknown = each.filter(
    ({ of, states }) => of.length > 0 && !of.some((machine) => states.every((s) => machine.states.includes(s)))
  )
  assert.deepStrictEqual(unknown.map(shown), [])
})

it("several states together are a group of the machine, which the statement names instead", async () => {
  const lists = (await found()).filter(({ states }) => states.length > 1)
  // One is left, in the claim.
  assert.deepStrictEqual(
    lists.map(({ text }) => text).filter((text) => text !== "m.state IN ('claimed', 'unknown'"),
    []
  )
  assert.isAtMost(lists.length, 1)
})

it("both are found where they stand", async () => {
  const all = await machines()
  const of = (text: string) => foundIn("X.ts", text, all)
  const [known, typo, list] = of(
    "FROM messages m JOIN campaigns c ON c.state = 'active' AND m.state <> 'cliamed' AND c.state IN ('active', 'paused')"
  )
  assert.deepStrictEqual([known?.states, known?.of.map(({ name }) => name)], [["active"], ["campaign"]])
  assert.deepStrictEqual([typo?.states, typo?.of.map(({ name }) => name)], [["cliamed"], ["message"]])
  assert.deepStrictEqual(list?.states, ["active", "paused"])
})
