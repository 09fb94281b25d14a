import { NOTICES_PATH } from "@outbound/domain/control/notices/noticeWords.js"
import type { Role } from "@outbound/domain/control/users/UserStore.js"

/** The forms about the person alone, which every role may send. Their paths, and those of decisions, are routes. */
export const OWN_FORMS: ReadonlySet<string> = new Set([
  "/console/confirm",
  "/console/confirm/options",
  "/console/settings/zone",
  NOTICES_PATH,
  "/console/settings/passkeys",
  "/console/settings/passkeys/options",
  "/console/settings/passkeys/:id/remove",
  // Oneself: others are removed by owners.
  "/console/settings/members/:id/remove"
])

/** The forms that decide an approval. */
export const DECISION_FORMS: ReadonlySet<string> = new Set([
  "/console/approvals/:id/approve",
  "/console/approvals/:id/decline",
  "/console/approvals/:id/look/say",
  "/console/approvals/:id/look/begin",
  "/console/approvals/:id/withdraw"
])

/** Where the form with the rules of launches is sent. */
export const RULES_PATH = "/console/settings/rules"

/** The forms that set what an approval asks for. Making it looser is an owner's, and the form's own check. */
export const RULE_FORMS: ReadonlySet<string> = new Set([RULES_PATH])

const IDS = /\/[0-9a-f]{8}-[0-9a-f-]{27}(?=\/|$)/gi

/** Whether somebody with this role may send a form to a path (contract: keys, roles). Reading is everybody's. */
export const maySend = (role: Role, path: string): boolean => {
  const form = (path.split(/[?#]/)[0] ?? path).replaceAll(IDS, "/:id")
  switch (role) {
    case "owner":
    case "member":
      return true
    case "approver":
      return OWN_FORMS.has(form) || DECISION_FORMS.has(form) || RULE_FORMS.has(form) || isOpen(form)
    case "reader":
      return OWN_FORMS.has(form) || isOpen(form)
  }
}

/** Signing in and out needs no role. */
const isOpen = (form: string): boolean => form.startsWith("/console/sign-")
