import { maybe, pages } from "../pages.js"
import { PASSKEY_NAME_CHARS_MAX, PASSKEYS_MAX, PasskeyAccess } from "@outbound/domain/control/console/PasskeyAccess.js"
import type { Passkey } from "@outbound/domain/control/users/PasskeyStore.js"
import { isOwnSession } from "@outbound/domain/control/access.js"
import { SESSION_DAYS } from "@outbound/domain/control/console/Console.js"
import { Effect } from "effect"
import { Moment } from "../../web/Words.js"
import { Cards, Field, Form, Section } from "../Parts.js"
import { PasskeyForm } from "../SignInPage.js"
import type { Viewer } from "../Viewer.js"
import { json } from "../../http/Reply.js"
import { acting, PRINTED_LINK } from "../control/acting.js"
import { member } from "../Visit.js"

/** Ends every session of the viewer: what a person does who left a device behind. */
export const SessionsSection = () => (
  <Section id="sessions" title="Your sessions" isCard>
    <p>
      A session lasts {SESSION_DAYS} days. If you lost a device or a sign-in link, end all your sessions, here and on
      every other device, in every workspace. Sign-in links that were not used stop working too. Keys and passkeys stay.
    </p>
    <Form action="/console/sign-out/everywhere" button="End all my sessions" tone="stop" />
  </Section>
)

const Item = (props: { readonly of: Passkey; readonly isOwn: boolean }) => {
  const { createdAtMillis, lastUsedAtMillis, name, passkeyId } = props.of
  return (
    <li class="card">
      <strong>{name}</strong>
      <p class="soft">
        Added <Moment atMillis={createdAtMillis} />
        {lastUsedAtMillis === null ? (
          ", not used yet"
        ) : (
          <>
            , last used <Moment atMillis={lastUsedAtMillis} />
          </>
        )}
      </p>
      {props.isOwn ? (
        <div class="actions">
          <Form action={`/console/settings/passkeys/${passkeyId}/remove`} button="Remove" tone="stop" about={name} />
        </div>
      ) : null}
    </li>
  )
}

/** The viewer's passkeys. Only adding one needs a script. */
export const PasskeysSection = (props: { readonly passkeys: ReadonlyArray<Passkey>; readonly viewer: Viewer }) => {
  const isOwn = isOwnSession(props.viewer.signedIn)
  return (
    <Section id="passkeys" title="Your passkeys">
      <p class="soft">
        A passkey signs you in from this or a nearby device, without a link.{" "}
        {isOwn ? "To add one, you need a recent sign-in." : PRINTED_LINK}
      </p>
      <Cards of={props.passkeys} none="You have no passkeys." each={(of) => <Item of={of} isOwn={isOwn} />} />
      {!isOwn || props.passkeys.length >= PASSKEYS_MAX ? null : (
        <PasskeyForm
          action="/console/settings/passkeys"
          options="/console/settings/passkeys/options"
          does="create"
          csrf={props.viewer.csrf}
          button="Add a passkey"
          isCard
        >
          <Field
            label="Name of the passkey"
            name="name"
            id="f-passkey-name"
            maxLength={PASSKEY_NAME_CHARS_MAX}
            hint="For example, “My phone”."
          />
        </PasskeyForm>
      )}
    </Section>
  )
}

const SETTINGS = "/console/settings"

export const passkeyPages = pages({ passkeys: maybe(PasskeyAccess) }, ({ passkeys }) =>
  passkeys === null
    ? []
    : [
        member(`${SETTINGS}/passkeys/options`, {
          formOn: SETTINGS,
          post: (visit) =>
            acting(visit, SETTINGS, passkeys.beginAdding(visit.by, visit.secret), {
              done: (options) => json(200, JSON.stringify(options))
            })
        }),
        member(`${SETTINGS}/passkeys`, {
          formOn: SETTINGS,
          post: (visit) => {
            const [answer, name] = [visit.form.get("answer") ?? "", visit.form.get("name") ?? ""]
            return acting(visit, SETTINGS, Effect.asVoid(passkeys.add(visit.by, visit.secret, answer, name)), {
              done: () => `${SETTINGS}?done=passkey`
            })
          }
        }),
        member(`${SETTINGS}/passkeys/:id/remove`, {
          formOn: SETTINGS,
          post: (visit) =>
            acting(visit, SETTINGS, passkeys.remove(visit.by, visit.id), {
              done: () => `${SETTINGS}?done=passkey-removed`
            })
        })
      ]
)
