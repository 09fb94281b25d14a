import { PASSKEY_NAME_CHARS_MAX, PASSKEYS_MAX } from "@outbound/domain/control/console/PasskeyAccess.js"
import type { Passkey } from "@outbound/domain/control/users/PasskeyStore.js"
import { Moment } from "../../web/Words.js"
import { Cards, Field, Form, Section } from "../Parts.js"
import { PasskeyForm } from "../PasskeyForm.js"
import type { Viewer } from "../Shell.js"

const Item = (props: { readonly of: Passkey }) => {
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
      <div class="actions">
        <Form action={`/console/settings/passkeys/${passkeyId}/remove`} button="Remove" tone="stop" about={name} />
      </div>
    </li>
  )
}

/** The viewer's passkeys. Only adding one needs a script. */
export const PasskeysSection = (props: { readonly passkeys: ReadonlyArray<Passkey>; readonly viewer: Viewer }) => (
  <Section id="passkeys" title="Your passkeys">
    <p class="soft">
      A passkey signs you in from this or a nearby device, without a link. To add one, you need a recent sign-in.
    </p>
    <Cards of={props.passkeys} none="You have no passkeys." each={(of) => <Item of={of} />} />
    {props.passkeys.length >= PASSKEYS_MAX ? null : (
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
