import { Admin, SIGNUP_CREDITS } from "@outbound/domain/app/Admin.js"
import { Console, SIGN_IN_LINK_MINUTES } from "@outbound/domain/control/console/Console.js"
import { DEFAULT_SCOPES } from "@outbound/domain/verbs/Policy.js"
import { credits, format } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Schema } from "effect"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { command, optional, type Outcome, repeated, required } from "./Command.js"
import * as Flags from "./flags.js"

const key = required(Flags.Id, "ID", "The key")
const workspace = required(Flags.Id, "ID", "The workspace")

/** The commands that change what is stored, or hand something out. None of them approves anything. */
export const operatorCommands = (actions: Pick<Actions, "operate">, config: Effect.Effect<OutboundConfig, unknown>) => {
  const operate = (work: (config: OutboundConfig) => Effect.Effect<Outcome, unknown, Admin | Console>) =>
    Effect.flatMap(config, (read) => actions.operate(read, work(read)))

  const createWorkspace = command(
    "create",
    "Makes a workspace with its owner.",
    {
      name: required(Schema.String, "N", "What it is called"),
      "owner-email": required(Schema.String, "E", "Who owns it, and signs in to its console"),
      kind: optional(Flags.Kind, "KIND", "sandbox or live, for ever; by OUTBOUND_PROVIDERS unless said"),
      credits: optional(Flags.Amount, "C", `Its first credits, ${SIGNUP_CREDITS} unless said`),
      "postal-address": optional(Schema.String, "A", "Stands under every message; a launch needs one")
    },
    (flags) =>
      operate(({ providers }) =>
        Effect.gen(function* () {
          const { createWorkspace: create } = yield* Admin
          const { workspaceId } = yield* create({
            name: flags.name,
            ownerEmail: flags["owner-email"],
            kind: flags.kind ?? (providers === "sandbox" ? "sandbox" : "live"),
            credits: flags.credits ?? credits(SIGNUP_CREDITS),
            postalAddress: flags["postal-address"] ?? null
          })
          return {
            json: { workspace_id: workspaceId },
            text: `Workspace ${workspaceId} is made. Its owner signs in with:\n  npx outbound sign-in-link --email ${flags["owner-email"]}`
          }
        })
      )
  )

  const listWorkspaces = command("list", "Lists the workspaces, oldest first.", {}, () =>
    operate(() =>
      Effect.gen(function* () {
        const workspaces = yield* (yield* Admin).listWorkspaces
        return {
          json: {
            workspaces: workspaces.map(({ kind, name, ownerEmail, workspaceId }) => ({
              workspace_id: workspaceId,
              name,
              kind,
              owner_email: ownerEmail
            }))
          },
          text:
            workspaces.length === 0
              ? "There is no workspace."
              : workspaces
                  .map(({ kind, name, ownerEmail, workspaceId }) =>
                    [workspaceId, kind.padEnd(7), ownerEmail ?? "no owner", name].join("  ")
                  )
                  .join("\n")
        }
      })
    )
  )

  const createKey = command(
    "create",
    "Makes an API key, and shows it once.",
    {
      workspace,
      name: required(Schema.String, "N", "What it is called"),
      scope: repeated(Flags.ScopeName, "S", `What it may do; ${DEFAULT_SCOPES.join(", ")} unless said`),
      cap: optional(Flags.Amount, "C", "The most it may spend in a calendar month"),
      autonomy: optional(Flags.Off, "off", "It may draft and preview, not ask for approvals")
    },
    (flags) =>
      operate(() =>
        Effect.gen(function* () {
          const { createKey: create } = yield* Admin
          const { apiKey, keyId } = yield* create({
            workspaceId: flags.workspace,
            name: flags.name,
            scopes: flags.scope,
            monthlySpendCap: flags.cap ?? null,
            autonomousExternalActions: flags.autonomy === undefined
          })
          return {
            json: { key_id: keyId, api_key: apiKey },
            text: `Key ${keyId} is made. It is shown this once:\n  ${apiKey}`
          }
        })
      )
  )

  const changeKey = (event: "pause" | "resume" | "revoke", about: string) =>
    command(event, about, { key }, (flags) =>
      operate(() =>
        Effect.gen(function* () {
          const { state } = yield* (yield* Admin).changeKeyState(flags.key, event)
          return { json: { key_id: flags.key, state }, text: `Key ${flags.key} is ${state}.` }
        })
      )
    )

  const setKey = command(
    "set",
    "Changes what a key may do.",
    {
      key,
      rate: optional(Flags.Count, "N", "Requests per minute"),
      capability: repeated(Flags.CapabilitySwitch, "NAME=on|off", "Switches a capability"),
      "premium-allowance": optional(Flags.Amount, "C", "The most that one premium step may cost"),
      "run-required": optional(Flags.OnOff, "on|off", "Whether its calls must name a run")
    },
    (flags) =>
      operate(() =>
        Effect.gen(function* () {
          const settings = {
            ...(flags.rate === undefined ? {} : { ratePerMinute: flags.rate }),
            ...(flags.capability.length === 0 ? {} : { capabilities: flags.capability }),
            ...(flags["premium-allowance"] === undefined ? {} : { premiumAllowance: flags["premium-allowance"] }),
            ...(flags["run-required"] === undefined ? {} : { runRequired: flags["run-required"] })
          }
          if (Object.keys(settings).length === 0) {
            return yield* new Flags.FlagMistakes({
              mistakes: ["Say what to change: --rate, --capability, --premium-allowance or --run-required"]
            })
          }
          yield* (yield* Admin).setKey(flags.key, settings)
          return { json: { key_id: flags.key }, text: `Key ${flags.key} is changed.` }
        })
      )
  )

  const grantCredits = command(
    "grant",
    "Adds credits to a workspace, as a payment would.",
    { workspace, amount: required(Flags.Amount, "C", "How many") },
    (flags) =>
      operate(() =>
        Effect.gen(function* () {
          const { available } = yield* (yield* Admin).grantCredits(flags.workspace, flags.amount)
          return {
            json: { workspace_id: flags.workspace, credits_available: format(available) },
            text: `Granted ${format(flags.amount)} credits. ${format(available)} are available.`
          }
        })
      )
  )

  const createRun = command(
    "create",
    "Makes a run: one agent's piece of work with its own budget.",
    {
      workspace,
      name: required(Schema.String, "N", "What it is called"),
      budget: required(Flags.Amount, "C", "The most that it may spend"),
      "expires-in": required(Flags.DurationMillis, "D", "How long it may be used: 30s, 15m, 24h, 7d")
    },
    (flags) =>
      operate(() =>
        Effect.gen(function* () {
          const { runId } = yield* (yield* Admin).createRun({
            workspaceId: flags.workspace,
            name: flags.name,
            budget: flags.budget,
            expiresInMillis: flags["expires-in"]
          })
          return {
            json: { run_id: runId },
            text: `Run ${runId} is made. Calls name it with the header Svc-Run-Id.`
          }
        })
      )
  )

  const signInLink = command(
    "sign-in-link",
    "Makes a link with which a member signs in to the console.",
    { email: required(Schema.String, "E", "Whose") },
    (flags) =>
      operate(({ baseUrl }) =>
        Effect.gen(function* () {
          const secret = yield* (yield* Console).makeSignInLink(flags.email)
          const url = `${baseUrl}/console/sign-in?token=${secret}`
          return { json: { url }, text: `${url}\nIt works once, within ${SIGN_IN_LINK_MINUTES} minutes.` }
        })
      )
  )

  return {
    workspace: [createWorkspace, listWorkspaces],
    key: [
      createKey,
      changeKey("pause", "Stops a key until it is resumed"),
      changeKey("resume", "Lets a paused key go on"),
      changeKey("revoke", "Ends a key for good"),
      setKey
    ],
    credits: [grantCredits],
    run: [createRun],
    signInLink
  } as const
}
