import { SIGN_IN_LINK_MINUTES } from "@outbound/domain/control/console/Console.js"
import { ASK_WINDOW_MINUTES } from "@outbound/domain/control/users/asks.js"
import type { ComponentChildren } from "preact"
import type { Reply } from "../http/Reply.js"
import { Script, SCRIPTED } from "../web/Scripted.js"
import { Field, LinkLine, Note } from "./Parts.js"
import { SIGN_UP } from "@outbound/domain/control/signUp/letters.js"
import { consolePage } from "./Shell.js"

/** A form that an authenticator answers. The script shows it if the browser supports passkeys. */
export const PasskeyForm = (props: {
  readonly action: `/${string}`
  /** The path that returns the challenge. */
  readonly options: `/${string}`
  readonly does: "create" | "get"
  readonly csrf?: string
  readonly next?: string
  readonly button: string
  readonly isCard?: boolean
  readonly children?: ComponentChildren
}) => (
  <form
    class={props.isCard === true ? "passkey card" : "passkey"}
    method="post"
    action={props.action}
    data-options={props.options}
    data-does={props.does}
    hidden
  >
    {props.csrf === undefined ? null : <input type="hidden" name="csrf" value={props.csrf} />}
    {props.next === undefined ? null : <input type="hidden" name="next" value={props.next} />}
    <input type="hidden" name="answer" value="" />
    {props.children}
    <button type="submit">{props.button}</button>
    <p class="soft" role="alert" />
  </form>
)

/** The ways to sign in. */
export interface Ways {
  readonly mail: boolean
  /** People make a workspace of their own here. */
  readonly signUp: boolean
  /** `confirm`: somebody is signed in and confirms it. Null: this service has no passkeys. */
  readonly passkey: { readonly kind: "sign_in" } | { readonly kind: "confirm"; readonly csrf: string } | null
}

const ByOperator = () => (
  <>
    <p>
      You sign in with a link that works once, for {SIGN_IN_LINK_MINUTES} minutes. Ask the operator of this service to
      create one:
    </p>
    <pre>
      <code>outbound sign-in-link --email you@example.com</code>
    </pre>
    <p class="soft">Then open the link in this browser.</p>
  </>
)

/** Needs no CSRF token: it only asks for an email, and forms from other sites are refused anyway. */
const ByMail = (props: { readonly email: string }) => (
  <form method="post" action="/console/sign-in/mail">
    <Field
      label="Your email"
      name="email"
      isEmail
      required
      maxLength={320}
      value={props.email}
      hint={`We email you a link that works once, for ${SIGN_IN_LINK_MINUTES} minutes.`}
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

/** The page to sign in on, without a link. */
export const waysInPage = (options: {
  readonly status?: number
  readonly ways: Ways
  readonly next: string
  readonly headers?: Readonly<Record<string, string>>
  readonly problem?: string
  readonly email?: string
}): Reply => {
  const { headers, next, problem, ways } = options
  return consolePage(
    {
      status: options.status ?? 200,
      title: "Sign in",
      viewer: null,
      headers: { ...headers, ...(ways.passkey === null ? {} : SCRIPTED) }
    },
    <div class="card narrow">
      <h1>Sign in</h1>
      {problem === undefined ? null : (
        <Note tone="bad" role="alert">
          {problem}
        </Note>
      )}
      {ways.mail ? <ByMail email={options.email ?? ""} /> : <ByOperator />}
      {ways.passkey === null ? null : (
        <>
          <ByPasskey of={ways.passkey} next={next} />
          <Script />
        </>
      )}
      {ways.signUp ? <LinkLine to={SIGN_UP} text="No account yet? Make a workspace" /> : null}
    </div>
  )
}

/** After asking for a link. The same for known and unknown addresses. */
export const askedPage = (): Reply =>
  consolePage(
    { title: "Check your email", viewer: null },
    <div class="card narrow">
      <h1>Check your email</h1>
      <p>
        If an account has this address, we have sent it a sign-in link. It works once, for {SIGN_IN_LINK_MINUTES}{" "}
        minutes. Open it in this browser.
      </p>
      <LinkLine to="/console/sign-in" text="Back" />
    </div>
  )

export const FORM_UNTAKEN = "Your session had ended, so nothing was changed. Sign in and send the form again."

export const TOO_MANY = `Too many attempts. Try again in ${ASK_WINDOW_MINUTES} minutes.`
export const NO_ADDRESS = "Enter a valid email address."
export const PASSKEY_REFUSED =
  "This passkey was not accepted: it may have been removed, or the request timed out. Try again or use a link."

/** With a valid link: a button. Only its POST uses the link up, so that programs that open links don't. */
export const signInPage = (options: { readonly token: string; readonly csrf: string; readonly next: string }): Reply =>
  consolePage(
    { title: "Sign in", viewer: null },
    <div class="card narrow">
      <h1>Sign in</h1>
      <p class="lead">This link works once and signs you in on this browser.</p>
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

export const linkOverPage = (isMailOn: boolean): Reply =>
  consolePage(
    { status: 403, title: "This link has expired", viewer: null },
    <div class="card narrow">
      <h1>This link has expired</h1>
      <p>It was already used, or it is older than {SIGN_IN_LINK_MINUTES} minutes.</p>
      {isMailOn ? <LinkLine to="/console/sign-in" text="Get a new link" /> : <ByOperator />}
    </div>
  )
