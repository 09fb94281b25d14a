import { Admin, TRAIL_MONTHS_MIN } from "@outbound/domain/app/Admin.js"
import { SIGNUP_CREDITS } from "@outbound/domain/control/NewWorkspace.js"
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

const keptWords = (months: number | null): string =>
  months === null ? 'as long as "archive" says' : months === 0 ? "always" : `for at least ${months} months`

/** Commands on workspaces, keys, credits and runs. None of them approves anything. */
export const operatorCommands = (actions: Pick<Actions, "operate">, config: Effect.Effect<OutboundConfig, unknown>) => {
  const operate = <E>(work: (admin: Admin["Service"], config: OutboundConfig) => Effect.Effect<Outcome, E, Console>) =>
    Effect.flatMap(config, (read) =>
      actions.operate(
        read,
        Effect.flatMap(Admin, (admin) => work(admin, read))
      )
    )

  const createWorkspace = command(
    "create",
    "Creates a workspace with its owner.",
    {
      name: required(Schema.String, "N", "The workspace's name"),
      "owner-email": required(Schema.String, "E", "The owner's email address"),
      kind: optional(Flags.Kind, "KIND", "sandbox or live, permanently; default: by OUTBOUND_PROVIDERS"),
      credits: optional(Flags.Amount, "C", `Initial credits; default: ${SIGNUP_CREDITS}`),
      "postal-address": optional(Schema.String, "A", "The postal address shown in every message; required to launch")
    },
    (flags) =>
      operate((admin, { providers }) =>
        Effect.map(
          admin.createWorkspace({
            name: flags.name,
            ownerEmail: flags["owner-email"],
            kind: flags.kind ?? (providers === "sandbox" ? "sandbox" : "live"),
            credits: flags.credits ?? credits(SIGNUP_CREDITS),
            postalAddress: flags["postal-address"] ?? null
          }),
          ({ workspaceId }) => ({
            json: { workspace_id: workspaceId },
            text: `Workspace ${workspaceId} was created. Create a sign-in link for its owner:\n  outbound sign-in-link --email ${flags["owner-email"]}`
          })
        )
      )
  )

  const listWorkspaces = command("list", "Lists the workspaces, oldest first.", {}, () =>
    operate((admin) =>
      Effect.map(admin.listWorkspaces, (workspaces) => ({
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
            ? "There are no workspaces."
            : workspaces
                .map(({ kind, name, ownerEmail, workspaceId }) =>
                  [workspaceId, kind.padEnd(7), ownerEmail ?? "no owner", name].join("  ")
                )
                .join("\n")
      }))
    )
  )

  const keepWorkspace = command(
    "keep",
    'Says for how long a workspace\'s calls and trail stay in the database, whatever "archive" is told.',
    {
      workspace,
      calls: required(Flags.MonthsKept, "N", "Full months, always, or default"),
      trail: required(
        Flags.MonthsKept,
        "N",
        `Full months, always, or default; an event names its person for ${TRAIL_MONTHS_MIN}`
      )
    },
    (flags) =>
      operate((admin) =>
        Effect.as(admin.setRetention(flags.workspace, { callMonths: flags.calls, trailMonths: flags.trail }), {
          json: { workspace_id: flags.workspace, call_months: flags.calls, trail_months: flags.trail },
          text: `Calls stay ${keptWords(flags.calls)}, the trail ${keptWords(flags.trail)}.`
        })
      )
  )

  const createKey = command(
    "create",
    "Creates an API key and shows it once.",
    {
      workspace,
      name: required(Schema.String, "N", "The key's name"),
      scope: repeated(Flags.ScopeName, "S", `A scope of the key; default: ${DEFAULT_SCOPES.join(", ")}`),
      cap: optional(Flags.Amount, "C", "The most credits that it can spend per calendar month"),
      "daily-cap": optional(Flags.Amount, "C", "The most credits that it can spend per day (UTC)"),
      autonomy: optional(Flags.Off, "off", "The key can draft and preview but not ask for approvals")
    },
    (flags) =>
      operate((admin) =>
        Effect.map(
          admin.createKey({
            workspaceId: flags.workspace,
            name: flags.name,
            scopes: flags.scope,
            monthlySpendCap: flags.cap ?? null,
            dailySpendCap: flags["daily-cap"] ?? null,
            autonomousExternalActions: flags.autonomy === undefined
          }),
          ({ apiKey, keyId }) => ({
            json: { key_id: keyId, api_key: apiKey },
            text: `Key ${keyId} was created. It is shown only once:\n  ${apiKey}`
          })
        )
      )
  )

  const changeKey = (event: "pause" | "resume" | "revoke", about: string) =>
    command(event, about, { key }, (flags) =>
      operate((admin) =>
        Effect.map(admin.changeKeyState(flags.key, event), ({ state }) => ({
          json: { key_id: flags.key, state },
          text: `Key ${flags.key} is ${state}.`
        }))
      )
    )

  const setKey = command(
    "set",
    "Changes a key's settings.",
    {
      key,
      rate: optional(Flags.Count, "N", "Requests per minute"),
      capability: repeated(Flags.CapabilitySwitch, "NAME=on|off", "Turn a capability on or off"),
      "premium-allowance": optional(Flags.Amount, "C", "The most that one premium step can cost"),
      "daily-cap": optional(Flags.Cap, "C|none", "The most credits that it can spend per day (UTC)"),
      "run-required": optional(Flags.OnOff, "on|off", "Whether every call must name a run")
    },
    (flags) =>
      operate((admin) =>
        Effect.gen(function* () {
          const settings = {
            ...(flags.rate === undefined ? {} : { ratePerMinute: flags.rate }),
            ...(flags.capability.length === 0 ? {} : { capabilities: flags.capability }),
            ...(flags["premium-allowance"] === undefined ? {} : { premiumAllowance: flags["premium-allowance"] }),
            ...(flags["daily-cap"] === undefined
              ? {}
              : { dailySpendCap: flags["daily-cap"] === "none" ? null : flags["daily-cap"] }),
            ...(flags["run-required"] === undefined ? {} : { runRequired: flags["run-required"] })
          }
          if (Object.keys(settings).length === 0) {
            return yield* new Flags.FlagMistakes({
              mistakes: [
                "Use at least one of --rate, --capability, --premium-allowance, --daily-cap and --run-required"
              ]
            })
          }
          yield* admin.setKey(flags.key, settings)
          return { json: { key_id: flags.key }, text: `Key ${flags.key} was changed.` }
        })
      )
  )

  const grantCredits = command(
    "grant",
    "Adds credits to a workspace.",
    { workspace, amount: required(Flags.Amount, "C", "The number of credits") },
    (flags) =>
      operate((admin) =>
        Effect.map(admin.grantCredits(flags.workspace, flags.amount), ({ available }) => ({
          json: { workspace_id: flags.workspace, credits_available: format(available) },
          text: `Granted ${format(flags.amount)} credits. ${format(available)} are available.`
        }))
      )
  )

  const createRun = command(
    "create",
    "Creates a run: a budget for one piece of work.",
    {
      workspace,
      name: required(Schema.String, "N", "The run's name"),
      budget: required(Flags.Amount, "C", "The most credits that it can spend"),
      "expires-in": required(Flags.DurationMillis, "D", "How long it stays open: 30s, 15m, 24h, 7d")
    },
    (flags) =>
      operate((admin) =>
        Effect.map(
          admin.createRun({
            workspaceId: flags.workspace,
            name: flags.name,
            budget: flags.budget,
            expiresInMillis: flags["expires-in"]
          }),
          ({ runId }) => ({
            json: { run_id: runId },
            text: `Run ${runId} was created. Calls join it with the header Svc-Run-Id.`
          })
        )
      )
  )

  const signInLink = command(
    "sign-in-link",
    "Creates a link for a member to sign in to the console.",
    {
      email: required(Schema.String, "E", "The member's email address"),
      workspace: optional(Flags.Id, "ID", "The workspace that the link opens; the member's first if not given")
    },
    (flags) =>
      operate((_admin, { baseUrl }) =>
        Effect.gen(function* () {
          const secret = yield* (yield* Console).makeSignInLink(flags.email, flags.workspace)
          const url = `${baseUrl}/console/sign-in?token=${secret}`
          return { json: { url }, text: `${url}\nIt works once, within ${SIGN_IN_LINK_MINUTES} minutes.` }
        })
      )
  )

  return {
    workspace: [createWorkspace, listWorkspaces, keepWorkspace],
    key: [
      createKey,
      changeKey("pause", "Pauses a key until it is resumed."),
      changeKey("resume", "Resumes a paused key."),
      changeKey("revoke", "Revokes a key permanently."),
      setKey
    ],
    credits: [grantCredits],
    run: [createRun],
    signInLink
  } as const
}
