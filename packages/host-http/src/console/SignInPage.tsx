import { SIGN_IN_LINK_MINUTES } from "@outbound/domain/control/console/Console.js"
import { ASK_WINDOW_MINUTES } from "@outbound/domain/control/users/asks.js"
import type { Reply } from "../http/Reply.js"
import { Script, SCRIPTED } from "../web/Scripted.js"
import { Field, Note } from "./Parts.js"
import { PasskeyForm } from "./PasskeyForm.js"
import { consolePage } from "./Shell.js"

/** Which ways in there are. */
export interface Ways {
  readonly mail: boolean
  /** `confirm`: somebody is signed in and shows that it is still they. Null: this service has no passkeys. */
  readonly passkey: { readonly kind: "sign_in" } | { readonly kind: "confirm"; readonly csrf: string } | null
}

const ByOperator = () => (
  <>
    <p>
      Signing in takes a link that works once, for {SIGN_IN_LINK_MINUTES} minutes. Whoever runs this service makes one
      for you:
    </p>
    <pre>
      <code>npx outbound sign-in-link --email you@example.com</code>
    </pre>
    <p class="soft">Open the link in this browser.</p>
  </>
)

/** It asks for a letter and nothing else, so that it needs no token: a form from another site is refused as any is. */
const ByMail = (props: { readonly email: string }) => (
  <form method="post" action="/console/sign-in/mail">
    <Field
      label="Your address"
      name="email"
      isEmail
      required
      maxLength={320}
      value={props.email}
      hint={`You get a link that works once, for ${SIGN_IN_LINK_MINUTES} minutes.`}
    />
    <button class="go" type="submit">
      Send me a link
    </button>
  </form>
)

const ByPasskey = (props: { readonly of: NonNullable<Ways["passkey"]>; readonly next: string }) =>
  props.of.kind === "sign_in" ? (
    <PasskeyForm
      action="/console/sign-in/passkey"
      options="/console/sign-in/passkey/options"
      does="get"
      next={props.next}
      button="Sign in with a passkey"
    />
  ) : (
    <PasskeyForm
      action="/console/confirm"
      options="/console/confirm/options"
      does="get"
      csrf={props.of.csrf}
      next={props.next}
      button="Confirm with a passkey"
    />
  )

/** Without a link: the ways to sign in. */
export const waysInPage = (options: {
  readonly status?: number
  readonly ways: Ways
  readonly next: string
  readonly headers?: Readonly<Record<string, string>>
  readonly problem?: string
  readonly email?: string
}): Reply => {
  const { headers, next, problem, ways } = options
  return consolePage({
    status: options.status ?? 200,
    title: "Sign in",
    viewer: null,
    headers: { ...headers, ...(ways.passkey === null ? {} : SCRIPTED) },
    children: (
      <div class="card narrow">
        <h1>Sign in</h1>
        {problem === undefined ? null : (
          <Note tone="bad" role="alert">
            <p>{problem}</p>
          </Note>
        )}
        {ways.mail ? <ByMail email={options.email ?? ""} /> : <ByOperator />}
        {ways.passkey === null ? null : (
          <>
            <ByPasskey of={ways.passkey} next={next} />
            <Script />
          </>
        )}
      </div>
    )
  })
}

/** After asking for a link: the same, whoever has the address. */
export const askedPage = (): Reply =>
  consolePage({
    title: "Look into your mail",
    viewer: null,
    children: (
      <div class="card narrow">
        <h1>Look into your mail</h1>
        <p>
          If somebody here has this address, a link is on its way to it. It works once, for {SIGN_IN_LINK_MINUTES}{" "}
          minutes. Open it in this browser.
        </p>
        <p>
          <a href="/console/sign-in">Back</a>
        </p>
      </div>
    )
  })

export const FORM_UNTAKEN =
  "You were no longer signed in, so the form was not taken: nothing was changed. Sign in, and send it again."

export const TOO_MANY = `That was asked too often. Try again in ${ASK_WINDOW_MINUTES} minutes.`
export const NO_ADDRESS = "This is no email address."
export const PASSKEY_REFUSED =
  "This passkey was not accepted. It may have been removed, or too much time have passed. Try again, or use another way."

/** With a link that is good: a button. Only its POST spends the link, so that programs that open links don't. */
export const signInPage = (options: { readonly token: string; readonly csrf: string; readonly next: string }): Reply =>
  consolePage({
    title: "Sign in",
    viewer: null,
    children: (
      <div class="card narrow">
        <h1>Sign in</h1>
        <p class="lead">This link works once. You stay signed in on this browser.</p>
        <form method="post" action="/console/sign-in">
          <input type="hidden" name="token" value={options.token} />
          <input type="hidden" name="csrf" value={options.csrf} />
          <input type="hidden" name="next" value={options.next} />
          <button class="go" type="submit">
            Sign in
          </button>
        </form>
      </div>
    )
  })

export const linkOverPage = (isMailOn: boolean): Reply =>
  consolePage({
    status: 403,
    title: "This link is over",
    viewer: null,
    children: (
      <div class="card narrow">
        <h1>This link is over</h1>
        <p>It was used already, or its {SIGN_IN_LINK_MINUTES} minutes have passed.</p>
        {isMailOn ? (
          <p>
            <a href="/console/sign-in">Get another one</a>
          </p>
        ) : (
          <ByOperator />
        )}
      </div>
    )
  })
