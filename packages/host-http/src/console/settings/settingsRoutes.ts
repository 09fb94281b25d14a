import { PasskeyAccess } from "@outbound/domain/control/console/PasskeyAccess.js"
import { OwnKeys } from "@outbound/domain/control/ownKeys/OwnKeys.js"
import { SignInMail } from "@outbound/domain/control/console/SignInMail.js"
import { SuppressionImport } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { WING_CONSOLES } from "../../wings/consoles.js"
import type { SettingsLink } from "../../wings/WingConsole.js"
import { Control } from "@outbound/domain/control/Control.js"
import { Rules } from "@outbound/domain/control/rules/Rules.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { maybe, pages } from "../pages.js"
import { type Role, ROLES } from "@outbound/domain/control/users/UserStore.js"
import { type WorkspaceCaps, WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, Option, Result } from "effect"
import { seeOther } from "../../web/Page.js"
import { zoneNamed } from "../../web/Zone.js"
import { zoneCookie } from "../Session.js"
import { orNotFound, owner } from "@outbound/domain/control/access.js"
import { confirmPage } from "../control/ConfirmPage.js"
import { acting, allOf, countOf, isOn, type Typed, typed } from "../control/acting.js"
import { formsOf } from "../control/formsOf.js"
import { CARDS_MAX, idAfterOf, pageOf, rowsAfter } from "../paging.js"
import type { Problem } from "../Parts.js"
import { missingPage } from "../Shell.js"
import { type Inside, member, type Page } from "../Visit.js"
import { historyPage, killedPage, killPage } from "./KillPage.js"
import { rulesOf } from "./RulesSection.js"
import { settingsPage } from "./SettingsPage.js"

const SETTINGS = "/console/settings"

const roleOf = (form: URLSearchParams): Typed<Role> => {
  const role = form.get("role")
  const known = ROLES.find((one) => one === role)
  return known === undefined
    ? Result.fail([{ path: "role", message: `must be one of ${ROLES.join(", ")}` }])
    : Result.succeed(known)
}

/** Two forms change caps. A cap that a form doesn't name stays. */
const capsOf = (form: URLSearchParams, now: WorkspaceCaps): Typed<WorkspaceCaps> => {
  const one = (name: string, value: number) => (form.has(name) ? countOf(form, name) : Result.succeed(value))
  return allOf({
    dailySends: one("daily_sends", now.dailySends),
    mailboxDailySends: one("mailbox_daily_sends", now.mailboxDailySends),
    dailyReplies: one("daily_replies", now.dailyReplies),
    mailboxDailyReplies: one("mailbox_daily_replies", now.mailboxDailyReplies),
    refusalsMin: one("refusals_min", now.refusalsMin),
    mailboxRefusalsPercent: one("mailbox_refusals_percent", now.mailboxRefusalsPercent),
    receiverRefusalsPercent: one("receiver_refusals_percent", now.receiverRefusalsPercent)
  })
}

/** The links of wings whose service the host has. */
const links = Effect.filter(
  WING_CONSOLES.flatMap<SettingsLink>(({ settings }) => settings),
  ({ service }) => Effect.map(Effect.serviceOption(service), Option.isSome)
)

const NEEDS = {
  settings: Settings,
  control: Control,
  erasure: maybe(Erasure),
  imports: maybe(SuppressionImport),
  links,
  mail: maybe(SignInMail),
  ownKeys: maybe(OwnKeys),
  passkeys: maybe(PasskeyAccess),
  rules: Rules,
  workspaces: WorkspaceStore
}

export const settingsPages = pages(
  NEEDS,
  ({ settings: { baseUrl }, control, erasure, imports, links, mail, ownKeys, passkeys, rules, workspaces }) => {
    const show = ({ by, query, viewer, workspaceId }: Inside, problem?: Problem): Page =>
      Effect.gen(function* () {
        const workspace = yield* workspaces.get(workspaceId)
        if (Option.isNone(workspace)) return missingPage(viewer)
        const after = idAfterOf(query.get("members"))
        const members = rowsAfter(yield* control.members(by), after, ({ userId }) => userId)
        return settingsPage({
          viewer,
          workspace: workspace.value,
          canReply: yield* workspaces.replySend(workspaceId),
          overlap: yield* workspaces.overlap(workspaceId),
          rules: yield* rules.rules(by),
          members: pageOf(members, CARDS_MAX, ({ userId }) => userId, after),
          passkeys: passkeys === null ? null : yield* passkeys.list(by),
          hasOwnKeys: ownKeys !== null && workspace.value.kind === "live" && by.role === "owner",
          links: links.filter(({ isFor }) => isFor({ role: by.role, kind: workspace.value.kind })),
          hasPeople: imports !== null && erasure !== null,
          done: query.get("done"),
          problem
        })
      })

    const forms = formsOf(SETTINGS, show)

    const askRemove = (visit: Inside): Page => {
      const isSelf = visit.by.user.userId === visit.id
      const found = Effect.gen(function* () {
        if (!isSelf) yield* owner(visit.by)
        const members = yield* control.members(visit.by)
        return yield* orNotFound(
          Effect.succeed(Option.fromNullishOr(members.find(({ userId }) => userId === visit.id)))
        )
      })
      return acting(visit, SETTINGS, found, {
        done: ({ email }) =>
          confirmPage({
            viewer: visit.viewer,
            title: isSelf ? "Leave this workspace?" : `Remove ${email}?`,
            at: "settings",
            effects: [
              `${isSelf ? "You see" : `${email} sees`} nothing of this workspace any more, from now on.`,
              "Approvals that need a second person no longer count this vote; what was approved for good stays approved.",
              "The trail and the history keep what was done. An owner can invite the person again."
            ],
            action: `${SETTINGS}/members/${visit.id}/remove`,
            button: isSelf ? "Leave" : "Remove",
            back: SETTINGS
          })
      })
    }

    const preview = ({ by, viewer }: Inside, problem?: Problem): Page =>
      Effect.map(control.previewKill(by), (found) => killPage({ viewer, preview: found, problem }))

    const kill = (visit: Inside): Page =>
      acting(visit, SETTINGS, control.kill(visit.by, (visit.form.get("reason") ?? "").trim()), {
        done: (result) => killedPage(visit.viewer, result),
        again: (problem) => preview(visit, problem)
      })

    const history = ({ by, query, viewer }: Inside): Page =>
      Effect.gen(function* () {
        const before = idAfterOf(query.get("before"))
        const found = yield* control.history(by, before)
        return historyPage({ viewer, ...pageOf(found, CARDS_MAX, ({ controlLogId }) => controlLogId, before) })
      })

    return [
      member(SETTINGS, { get: (visit) => show(visit) }),
      member(`${SETTINGS}/history`, { get: history }),
      member(`${SETTINGS}/kill`, { get: (visit) => preview(visit), post: kill }),
      member(`${SETTINGS}/zone`, {
        formOn: SETTINGS,
        post: (visit) => {
          const zone = zoneNamed(visit.form.get("zone") ?? "")
          return zone !== null
            ? Effect.succeed(seeOther(`${SETTINGS}?done=zone`, { "set-cookie": zoneCookie.set(baseUrl, zone) }))
            : show(visit, { issues: [{ path: "zone", message: "must be one of the list" }], form: visit.form })
        }
      }),
      forms.route("clear-suspension", "cleared", ({ by }) => control.clearSuspension(by)),
      forms.route("postal-address", "address", ({ by, form: given }) =>
        control.setPostalAddress(by, (given.get("postal_address") ?? "").trim())
      ),
      forms.route("caps", "caps", ({ by, form: given, workspaceId }) =>
        Effect.gen(function* () {
          const workspace = Option.getOrThrow(yield* workspaces.get(workspaceId))
          return yield* control.setCaps(by, yield* typed(capsOf(given, workspace.caps)))
        })
      ),
      forms.route("reply-send", "replies", ({ by, form: given }) =>
        control.setReplySend(by, isOn(given, "reply_send"))
      ),
      forms.route("overlap", "overlap", ({ by, form: given }) =>
        control.setOverlap(by, isOn(given, "queue") ? "queue" : "refuse")
      ),
      forms.route("rules", "rules", ({ by, form: given }) =>
        Effect.flatMap(typed(rulesOf(given)), (wanted) => rules.setRules(by, wanted))
      ),
      forms.route("members", mail?.isOn === true ? "invited" : "member", ({ by, form: given }) =>
        Effect.flatMap(typed(roleOf(given)), (role) =>
          Effect.tap(control.inviteMember(by, (given.get("email") ?? "").trim(), role), ({ email }) =>
            mail === null ? Effect.void : mail.invite(by, email)
          )
        )
      ),
      forms.route("members/:id/role", "role", ({ by, form: given, id }) =>
        Effect.flatMap(typed(roleOf(given)), (role) => control.setRole(by, id, role))
      ),
      member(`${SETTINGS}/members/:id/remove`, {
        formOn: SETTINGS,
        get: askRemove,
        post: forms.post("removed", ({ by, id }) => control.removeMember(by, id))
      })
    ]
  }
)
