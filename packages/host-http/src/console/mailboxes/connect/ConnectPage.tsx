import { PROVIDER_NAMES } from "@outbound/domain/outreach/sending/connect/consent.js"
import type { AddReport } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import type { GrantProvider } from "@outbound/domain/outreach/sending/mailGrant.js"
import type { Reply } from "../../../http/Reply.js"
import { contentSecurityPolicy } from "../../../web/Page.js"
import { mayLoosen, MayNote } from "../../control/acting.js"
import { Field, Form, LinkLine, Note, type Problem } from "../../Parts.js"
import { titledPage } from "../../Shell.js"
import { CONNECT } from "../NewMailboxPage.js"
import { MailboxReport } from "../MailboxReport.js"
import type { Viewer } from "../../Viewer.js"

/**
 * No `form-action`: browsers apply it to every redirect after a form, and a provider sends the person on to the sign-in of
 * their organisation, at any address. The page takes no secret, has no script, and everything it shows is escaped.
 */
const WITHOUT_FORM_ACTION = contentSecurityPolicy(null)

export const connectWords = (provider: GrantProvider): string => `Connect ${PROVIDER_NAMES[provider]}`

export interface ConnectPageOptions {
  readonly viewer: Viewer
  readonly isLive: boolean
  readonly providers: ReadonlyArray<GrantProvider>
  readonly problem?: Problem | undefined
  /** Why the last try came to nothing, and what was typed then. */
  readonly failed?:
    | { readonly says: string; readonly form?: URLSearchParams; readonly report?: AddReport | undefined }
    | undefined
}

/** The page with a button for each provider. */
export const connectPage = (options: ConnectPageOptions): Reply => {
  const { failed, isLive, problem, providers, viewer } = options
  return titledPage(
    {
      status: failed === undefined ? undefined : 400,
      title: "Connect a mailbox",
      viewer,
      at: "sending",
      isNarrow: true,
      problem,
      typed: failed?.form,
      headers: { "content-security-policy": WITHOUT_FORM_ACTION },
      lead: "Sign in at the provider as the mailbox, and allow this service to send from it and to read it. There is no password to copy, and you can withdraw it at the provider at any time."
    },
    <>
      {failed === undefined ? null : (
        <>
          <Note tone="bad" role="alert">
            {failed.says}
          </Note>
          {failed.report === undefined ? null : <MailboxReport of={failed.report} />}
        </>
      )}
      {isLive ? (
        <>
          <MayNote path={CONNECT} loosening="connect a mailbox" />
          {mayLoosen(viewer) ? (
            <Form class="card" action={CONNECT} autocomplete="off">
              <div class="pairs">
                <Field label="Email" name="address" isEmail required maxLength={254} />
                <Field label="Sender name" name="name" required maxLength={120} />
              </div>
              <p class="soft">
                Afterwards we test the mailbox: we send a message from it to itself and look for that. This takes up to
                two minutes. If a step fails, nothing is stored.
              </p>
              <div class="actions">
                {providers.map((provider) => (
                  <button key={provider} class="go" type="submit" name="provider" value={provider}>
                    {connectWords(provider)}
                  </button>
                ))}
              </div>
            </Form>
          ) : null}
        </>
      ) : (
        <Note>
          This is a sandbox workspace. It never sends real email, so you can’t connect your own mailboxes. Ask the
          operator of this service for a live workspace.
        </Note>
      )}
      <LinkLine to="/console/mailboxes/new" text="With a password or a token instead" />
    </>
  )
}
