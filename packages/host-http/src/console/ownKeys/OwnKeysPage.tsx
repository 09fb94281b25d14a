import type { OwnKeyStanding } from "@outbound/domain/control/ownKeys/OwnKeys.js"
import type { Reply } from "../../http/Reply.js"
import { Moment } from "../../web/Words.js"
import { MayNote } from "../control/acting.js"
import { Badge, Csrf, Field, Note, type Problem, ProblemNote, Select } from "../Parts.js"
import { consolePage, type Viewer } from "../Shell.js"

const PATH = "/console/settings/own-keys"

const DONE: Readonly<Record<string, string>> = {
  set: "The key is kept. It is used from the next call on.",
  removed: "The key is removed."
}

const WITHOUT: Readonly<Record<"true" | "false" | "null", string>> = {
  true: "Without one, this service’s own key is used.",
  false: "Without one, this vendor is not asked for you.",
  null: "This service does not ask this vendor any more."
}

const Key = (props: { readonly of: NonNullable<OwnKeyStanding["key"]> }) => {
  const { addedAtMillis, addedBy, isUsable, last4, refusedAtMillis } = props.of
  return (
    <>
      <p>
        Your key that ends in <code>{last4}</code>{" "}
        {!isUsable ? (
          <Badge tone="bad">Can’t be used</Badge>
        ) : refusedAtMillis === null ? (
          <Badge tone="good">In use</Badge>
        ) : (
          <Badge tone="bad">Refused</Badge>
        )}
      </p>
      <p class="soft">
        Brought by {addedBy}, <Moment atMillis={addedAtMillis} />.
        {isUsable ? null : " It can’t be opened any more: bring it again."}
        {refusedAtMillis === null ? null : (
          <>
            {" "}
            The vendor last refused it <Moment atMillis={refusedAtMillis} />. Is it right, and the account in credit?
          </>
        )}
      </p>
    </>
  )
}

const Vendor = (props: { readonly of: OwnKeyStanding; readonly viewer: Viewer }) => {
  const { hasServiceKey, key, title, vendor } = props.of
  return (
    <li class="card">
      <strong>{title}</strong>
      {key === null ? null : <Key of={key} />}
      <p class="soft">{WITHOUT[String(hasServiceKey) as keyof typeof WITHOUT]}</p>
      {key === null ? null : (
        <div class="actions">
          <form method="post" action={`${PATH}/remove`}>
            <Csrf viewer={props.viewer} />
            <input type="hidden" name="vendor" value={vendor} />
            <button class="stop" type="submit">
              Remove<span class="unseen"> the key with {title}</span>
            </button>
          </form>
        </div>
      )}
    </li>
  )
}

const Add = (props: {
  readonly viewer: Viewer
  readonly vendors: ReadonlyArray<OwnKeyStanding>
  readonly problem: Problem | undefined
}) => (
  <form class="card" method="post" action={PATH}>
    <Csrf viewer={props.viewer} />
    <h2>Bring a key</h2>
    <Select
      label="Vendor"
      name="vendor"
      value={props.problem?.form.get("vendor") ?? ""}
      options={props.vendors.map(({ title, vendor }) => [vendor, title])}
    />
    <Field
      label="Key"
      name="secret"
      isSecret
      required
      maxLength={4096}
      hint="It is kept encrypted and shown to nobody again. One that you brought before is replaced."
    />
    <button type="submit">Keep it</button>
  </form>
)

/** A workspace's own credentials with vendors. */
export const ownKeysPage = (options: {
  readonly viewer: Viewer
  readonly isLive: boolean
  readonly standings: ReadonlyArray<OwnKeyStanding>
  readonly nowMillis: number
  readonly done: string | null
  readonly problem?: Problem | undefined
}): Reply => {
  const { done, isLive, nowMillis, problem, standings, viewer } = options
  const offered = standings.filter(({ hasServiceKey }) => hasServiceKey !== null)
  const said = done === null ? undefined : DONE[done]
  return consolePage({
    status: problem === undefined ? 200 : 400,
    title: "Own keys",
    viewer,
    at: "settings",
    isNarrow: true,
    children: (
      <>
        <h1>Own keys</h1>
        <p class="lead">
          With a key of your own at a vendor, your calls are asked for on your account there. What they cost in credits
          stays the same.
        </p>
        {said === undefined ? null : (
          <Note tone="good" role="status">
            <p>{said}</p>
          </Note>
        )}
        <ProblemNote of={problem} />
        <MayNote viewer={viewer} nowMillis={nowMillis} path={PATH} loosening="bring a key" />
        {standings.length === 0 ? (
          <p class="card soft">
            {isLive
              ? "This service asks no vendor that a key could be brought for."
              : "A sandbox asks no vendor, and needs no key."}
          </p>
        ) : (
          <ul class="list">
            {standings.map((of) => (
              <Vendor key={of.vendor} of={of} viewer={viewer} />
            ))}
          </ul>
        )}
        {isLive && offered.length > 0 ? <Add viewer={viewer} vendors={offered} problem={problem} /> : null}
      </>
    )
  })
}
