import { SIGN_UP, SIGN_UP_LINK_MINUTES } from "@outbound/domain/control/signUp/letters.js"
import type { SignUpOpened } from "@outbound/domain/control/signUp/SignUp.js"
import type { SignUpRefusal } from "@outbound/domain/control/signUp/policy.js"
import type { Reply } from "../../http/Reply.js"
import { Field, LinkLine, Note } from "../Parts.js"
import { consolePage } from "../Shell.js"

const FULL_WORDS: Readonly<Record<SignUpRefusal, string>> = {
  day: "No more workspaces are made today. Try again tomorrow; if you have one, sign in.",
  network:
    "No more workspaces are made today for people from your network. Try again tomorrow; if you have one, sign in.",
  person: "You have a workspace already, under another spelling of this address. Sign in with that one."
}

export const fullWords = (because: SignUpRefusal): string => FULL_WORDS[because]

const ByOperator = () => (
  <>
    <p>This service sends no mail, so its operator makes the link:</p>
    <pre tabIndex={0}>
      <code>outbound sign-up-link --email you@example.com --name "Your workspace"</code>
    </pre>
  </>
)

/** The form. Needs no CSRF token: it only asks for an email, and forms from other sites are refused anyway. */
export const askPage = (options: {
  readonly isMailOn: boolean
  readonly status?: number
  readonly problems?: ReadonlyArray<string>
  readonly email?: string
  readonly name?: string
}): Reply =>
  consolePage(
    { status: options.status ?? 200, title: "Make a workspace", viewer: null },
    <div class="card narrow">
      <h1>Make a workspace</h1>
      {(options.problems ?? []).map((problem) => (
        <Note tone="bad" role="alert" key={problem}>
          {problem}
        </Note>
      ))}
      <p>It starts with 300 credits and a key for your agent. No card is needed.</p>
      {options.isMailOn ? (
        <form method="post" action={SIGN_UP}>
          <Field
            label="Your email"
            name="email"
            isEmail
            required
            maxLength={320}
            value={options.email ?? ""}
            hint={`We email you a link that works once, for ${SIGN_UP_LINK_MINUTES} minutes.`}
          />
          <Field label="The workspace’s name" name="name" required maxLength={120} value={options.name ?? ""} />
          <button class="go" type="submit">
            Send me a link
          </button>
        </form>
      ) : (
        <ByOperator />
      )}
      <LinkLine to="/console/sign-in" text="I have one: sign in" />
    </div>
  )

/** After asking. The same for known and unknown addresses. */
export const sentPage = (): Reply =>
  consolePage(
    { title: "Check your email", viewer: null },
    <div class="card narrow">
      <h1>Check your email</h1>
      <p>
        We have sent a link to this address. It works once, for {SIGN_UP_LINK_MINUTES} minutes. Open it in this browser.
      </p>
      <LinkLine to={SIGN_UP} text="Back" />
    </div>
  )

/** With a good link: a button. Only its POST uses the link up, so that programs that open links don't. */
export const openPage = (options: { readonly token: string; readonly csrf: string; readonly name: string }): Reply =>
  consolePage(
    { title: "Make a workspace", viewer: null },
    <div class="card narrow">
      <h1>Make the workspace “{options.name}”?</h1>
      <p class="lead">This link works once. It makes the workspace, shows its first key and signs you in.</p>
      <form method="post" action={SIGN_UP}>
        <input type="hidden" name="token" value={options.token} />
        <input type="hidden" name="csrf" value={options.csrf} />
        <button class="go" type="submit">
          Make it
        </button>
      </form>
    </div>
  )

export const overPage = (): Reply =>
  consolePage(
    { status: 403, title: "This link has expired", viewer: null },
    <div class="card narrow">
      <h1>This link has expired</h1>
      <p>It was already used, or it is older than {SIGN_UP_LINK_MINUTES} minutes.</p>
      <LinkLine to={SIGN_UP} text="Get a new link" />
    </div>
  )

export const refusedPage = (because: SignUpRefusal): Reply =>
  consolePage(
    { status: because === "person" ? 403 : 429, title: "No workspace was made", viewer: null },
    <div class="card narrow">
      <h1>No workspace was made</h1>
      <p>{fullWords(because)}</p>
      <LinkLine to="/console/sign-in" text="Sign in" />
    </div>
  )

/** What is pasted where, with the key in its place. */
export const pasted = (baseUrl: string, apiKey: string): ReadonlyArray<readonly [title: string, lines: string]> => [
  ["In a shell", `export OUTBOUND_API_KEY='${apiKey}'\nexport OUTBOUND_BASE_URL='${baseUrl}'`],
  ["With curl", `curl -s ${baseUrl}/v1/me -H 'authorization: Bearer ${apiKey}'`],
  [
    "In TypeScript",
    [
      `import { connect } from "@outbound/client/connect.js"`,
      `const outbound = await connect({ url: "${baseUrl}", apiKey: process.env.OUTBOUND_API_KEY })`,
      `console.log(await outbound.get_me())`
    ].join("\n")
  ],
  [
    "In Claude Code",
    `claude mcp add --transport http outbound ${baseUrl}/mcp --header 'Authorization: Bearer ${apiKey}'`
  ],
  [
    "In other MCP clients",
    JSON.stringify(
      { mcpServers: { outbound: { url: `${baseUrl}/mcp`, headers: { Authorization: `Bearer ${apiKey}` } } } },
      undefined,
      2
    )
  ]
]

/** The one page that shows the key. */
export const madePage = (options: {
  readonly made: Extract<SignUpOpened, { readonly _tag: "Made" }>
  readonly baseUrl: string
  readonly next: string
  readonly cookie: string
}): Reply =>
  consolePage(
    { title: "Your workspace", viewer: null, headers: { "set-cookie": options.cookie } },
    <div class="card">
      <h1>“{options.made.workspaceName}” is made</h1>
      <p>
        It has {options.made.credits} credits, and you are signed in. This is its first key.{" "}
        <strong>It is shown only now</strong>: keep it where your agent finds it.
      </p>
      <pre tabIndex={0} aria-label="The key">
        <code id="api-key">{options.made.apiKey}</code>
      </pre>
      {pasted(options.baseUrl, options.made.apiKey).map(([title, lines]) => (
        <section key={title}>
          <h2>{title}</h2>
          <pre tabIndex={0} aria-label={title}>
            <code>{lines}</code>
          </pre>
        </section>
      ))}
      <LinkLine to={options.next} text="Go on" />
    </div>
  )
