import { CrmAdmin, type CrmView, NAMED_MAX, USUAL_POLICY } from "@outbound/domain/wings/crm/CrmAdmin.js"
import type { CrmVendor } from "@outbound/domain/wings/crm/Crm.js"
import { type CrmPolicy } from "@outbound/domain/wings/crm/marks.js"
import { Effect, Schema } from "effect"
import type { OutboundConfig } from "../../Config.js"
import type { Actions } from "../../commands/Actions.js"
import { asWire } from "../../commands/asWire.js"
import { command, group, optional, type Outcome, repeated, required, switched } from "../../commands/Command.js"
import * as Flags from "../../commands/flags.js"
import { flagError, fromStdin, fromVariable } from "../../commands/secrets.js"
import { isoOrNull } from "@outbound/domain/kernel/text.js"

const workspace = required(Flags.Id, "ID", "The workspace")

const LEAVES_OUT = { customers: "keepsCustomers", "open-deals": "keepsOpenDeals", owned: "keepsOwned" } as const
const WRITES = { replies: "writesReplies", meetings: "writesMeetings", people: "createsContacts" } as const

const words = (of: Readonly<Record<string, keyof CrmPolicy>>): string => Object.keys(of).join(", ")

/** One of these words, or `nothing`. */
const wordOf = (of: Readonly<Record<string, keyof CrmPolicy>>) =>
  Schema.String.check(Schema.makeFilter((word) => word === "nothing" || word in of)).annotate(
    Flags.saying(`one of ${words(of)}, nothing`)
  )

/** The policy with what the words say of these fields; without any word as it was. */
const withWords = (policy: CrmPolicy, of: Readonly<Record<string, keyof CrmPolicy>>, given: ReadonlyArray<string>) =>
  given.length === 0
    ? policy
    : { ...policy, ...Object.fromEntries(Object.entries(of).map(([word, field]) => [field, given.includes(word)])) }

const chosenIn = (policy: CrmPolicy, of: Readonly<Record<string, keyof CrmPolicy>>): ReadonlyArray<string> =>
  Object.entries(of).flatMap(([word, field]) => (policy[field] ? [word] : []))

const troubleOf = ({ isUsable, reading }: CrmView) => (isUsable ? reading.trouble : "sealed")

const viewJson = (view: CrmView) => ({
  crm: view.vendor,
  address: view.address,
  client_id: view.clientId,
  last4: view.last4,
  added_by: view.addedBy,
  added_at: isoOrNull(view.addedAtMillis),
  leaves_out: chosenIn(view.policy, LEAVES_OUT),
  writes: chosenIn(view.policy, WRITES),
  read_at: isoOrNull(view.reading.readAtMillis),
  trouble: troubleOf(view),
  holds_sending: view.isHolding,
  named: view.named,
  notes: view.writes,
  owners: view.owners.map(({ email, name, ref, userId }) => ({ ref, name, email, user_id: userId }))
})

const viewText = (view: CrmView): string => {
  const { named, reading, title, writes } = view
  const trouble = troubleOf(view)
  const chosen = (of: Readonly<Record<string, keyof CrmPolicy>>) => chosenIn(view.policy, of).join(", ") || "nothing"
  return [
    `${title}${view.address === null ? "" : ` at ${view.address}`}, by a key that ends in ${view.last4}, is connected.`,
    `  last read:  ${isoOrNull(reading.readAtMillis) ?? "not yet"}${trouble === null ? "" : `; trouble: ${trouble}`}`,
    `  names:      ${named}${named < NAMED_MAX ? "" : " or more"} people and companies`,
    `  leaves out: ${["people who opted out or bounced there", ...chosenIn(view.policy, LEAVES_OUT)].join(", ")}`,
    `  writes:     ${chosen(WRITES)}`,
    `  notes:      ${writes.written} written, ${writes.open} waiting, ${writes.failed} failed`,
    ...(view.isHolding ? ["Nothing is sent: the CRM was not read within the last day."] : [])
  ].join("\n")
}

const vendorJson = ({ asks, hint, name, title }: CrmVendor) => ({
  crm: name,
  title,
  asks_address: asks !== undefined,
  asks_client_id: asks?.clientId !== undefined,
  hint
})

const flagsFor = ({ asks }: CrmVendor): string =>
  [...(asks === undefined ? [] : ["--address"]), ...(asks?.clientId === undefined ? [] : ["--client-id"])].join(", ")

/** The fields of the console's form, as flags. */
const FLAG_OF: Readonly<Record<string, string>> = {
  vendor: "crm",
  client_id: "client-id",
  key: "key-env or --key-stdin"
}

/** The CRMs of workspaces. A key comes from the environment or standard input, never from a flag. */
export const crmCommands = (
  actions: Pick<Actions, "operate" | "readStdin">,
  config: Effect.Effect<OutboundConfig, unknown>,
  environment: Readonly<Record<string, string | undefined>>
) => {
  const asFlags = asWire((path) => FLAG_OF[path] ?? path)
  const operate = <E>(work: (crm: CrmAdmin["Service"]) => Effect.Effect<Outcome, E>) =>
    Effect.flatMap(config, (read) => actions.operate(read, asFlags(Effect.flatMap(CrmAdmin, work))))

  const list = command(
    "list",
    "Lists the CRMs that a workspace may connect, and what each asks for.",
    { workspace },
    (flags) =>
      operate((crm) =>
        Effect.map(crm.standing({ operatorOf: flags.workspace }), ({ connection, offered }) => ({
          json: { crms: offered.map(vendorJson), connected: connection?.vendor ?? null },
          text: offered
            .map((one) =>
              [one.name.padEnd(12), one.name === connection?.vendor ? "connected" : "         ", flagsFor(one)]
                .join("  ")
                .trimEnd()
            )
            .join("\n")
        }))
      )
  )

  const connect = command(
    "connect",
    "Connects a workspace's CRM, or replaces its key. What flags do not say stays as it is.",
    {
      workspace,
      crm: required(Schema.String, "NAME", "The CRM, as printed by list"),
      address: optional(Schema.String, "URL", "The account's own address, where the CRM asks for it"),
      "client-id": optional(
        Schema.String,
        "ID",
        "The id of the program that the key belongs to, where the CRM asks for it"
      ),
      "key-env": optional(Schema.String, "VAR", "The environment variable with the key"),
      "key-stdin": switched("Read the key from standard input"),
      "leave-out": repeated(
        wordOf(LEAVES_OUT),
        "WHOM",
        `Whom campaigns leave out: ${words(LEAVES_OUT)} or nothing; default at first: customers, open-deals`
      ),
      write: repeated(
        wordOf(WRITES),
        "WHAT",
        `What is written to the CRM: ${words(WRITES)} or nothing; default at first: replies, meetings`
      )
    },
    (flags) => {
      const { "key-env": variable, "key-stdin": stdin } = flags
      if ((variable === undefined) === (stdin === undefined)) return flagError("Use either --key-env or --key-stdin")
      const secret: Effect.Effect<string, unknown> =
        variable === undefined ? fromStdin(actions) : fromVariable(environment, "key-env", variable)
      return Effect.flatMap(secret, (key) =>
        operate((admin) =>
          Effect.gen(function* () {
            const by = { operatorOf: flags.workspace }
            const before = (yield* admin.standing(by)).connection?.policy ?? USUAL_POLICY
            yield* admin.connect(by, {
              vendor: flags.crm,
              address: flags.address ?? "",
              clientId: flags["client-id"] ?? "",
              secret: key,
              policy: withWords(withWords(before, LEAVES_OUT, flags["leave-out"]), WRITES, flags.write)
            })
            const { connection } = yield* admin.standing(by)
            return {
              json: { connected: connection === null ? null : viewJson(connection) },
              text: connection === null ? "The CRM was disconnected meanwhile." : viewText(connection)
            }
          })
        )
      )
    }
  )

  const show = command(
    "show",
    "Shows a workspace's CRM: when it was read, and what is wrong. Exits with code 1 if it has trouble, or sending waits.",
    { workspace },
    (flags) =>
      operate((crm) =>
        Effect.map(crm.standing({ operatorOf: flags.workspace }), ({ connection }) =>
          connection === null
            ? { json: { connected: null }, text: "The workspace has no CRM." }
            : {
                json: { connected: viewJson(connection) },
                text: viewText(connection),
                isBad: connection.isHolding || troubleOf(connection) !== null
              }
        )
      )
  )

  const disconnect = command(
    "disconnect",
    "Disconnects a workspace's CRM. What was read is forgotten, and it keeps nobody out any more.",
    { workspace },
    (flags) =>
      operate((crm) =>
        Effect.as(crm.remove({ operatorOf: flags.workspace }), {
          json: { disconnected: true },
          text: "The CRM is disconnected. It keeps nobody out any more."
        })
      )
  )

  return [group("crm", "The CRMs of workspaces.", [list, connect, show, disconnect])]
}
