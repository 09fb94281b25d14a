import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { maybe, pages } from "../pages.js"
import { type OwnKeyStanding, OwnKeys } from "@outbound/domain/control/ownKeys/OwnKeys.js"
import { Effect, Option } from "effect"
import type { Reply } from "../../http/Reply.js"
import { Moment } from "../../web/Words.js"
import { acting, MayNote } from "../control/acting.js"
import { Badge, Cards, Field, Form, type Problem, Select } from "../Parts.js"
import { saidOf, titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { formsOf } from "../control/formsOf.js"
import { type Inside, member, type Page } from "../Visit.js"

const PATH = "/console/settings/own-keys"

const DONE: Readonly<Record<string, string>> = {
  set: "The key is saved. Calls use it from now on.",
  removed: "The key is removed."
}

const WITHOUT: Readonly<Record<"true" | "false" | "null", string>> = {
  true: "Without your key, calls use this service’s key.",
  false: "Without your key, calls don’t use this vendor.",
  null: "This service no longer uses this vendor."
}

const Key = (props: { readonly of: NonNullable<OwnKeyStanding["key"]> }) => {
  const { addedAtMillis, addedBy, isUsable, last4, refusedAtMillis } = props.of
  return (
    <>
      <p>
        Your key ending in <code>{last4}</code>{" "}
        {!isUsable ? (
          <Badge tone="bad">Unusable</Badge>
        ) : refusedAtMillis === null ? (
          <Badge tone="good">In use</Badge>
        ) : (
          <Badge tone="bad">Refused</Badge>
        )}
      </p>
      <p class="soft">
        Added by {addedBy}, <Moment atMillis={addedAtMillis} />.
        {isUsable ? null : " It can’t be decrypted any more. Add it again."}
        {refusedAtMillis === null ? null : (
          <>
            {" "}
            The vendor last refused it <Moment atMillis={refusedAtMillis} />. Check the key and your account’s credit.
          </>
        )}
      </p>
    </>
  )
}

const Vendor = (props: { readonly of: OwnKeyStanding }) => {
  const { hasServiceKey, key, title, vendor } = props.of
  return (
    <li class="card">
      <strong>{title}</strong>
      {key === null ? null : <Key of={key} />}
      <p class="soft">{WITHOUT[String(hasServiceKey) as keyof typeof WITHOUT]}</p>
      {key === null ? null : (
        <div class="actions">
          <Form action={`${PATH}/remove`} button="Remove" tone="stop" about={`the key for ${title}`}>
            <input type="hidden" name="vendor" value={vendor} />
          </Form>
        </div>
      )}
    </li>
  )
}

const Add = (props: { readonly vendors: ReadonlyArray<OwnKeyStanding> }) => (
  <Form class="card" action={PATH} button="Save key">
    <h2>Add a key</h2>
    <Select label="Vendor" name="vendor" options={props.vendors.map(({ title, vendor }) => [vendor, title])} />
    <Field
      label="Key"
      name="secret"
      isSecret
      required
      maxLength={4096}
      hint="Stored encrypted and never shown again. It replaces your previous key for this vendor."
    />
  </Form>
)

/** The workspace's own keys for vendors. */
const ownKeysPage = (options: {
  readonly viewer: Viewer
  readonly isLive: boolean
  readonly standings: ReadonlyArray<OwnKeyStanding>
  readonly done: string | null
  readonly problem?: Problem | undefined
}): Reply => {
  const { done, isLive, problem, standings, viewer } = options
  const offered = standings.filter(({ hasServiceKey }) => hasServiceKey !== null)
  return titledPage(
    {
      said: saidOf(DONE, done),
      problem,
      title: "Own keys",
      viewer,
      at: "settings",
      isNarrow: true,
      lead: "Add your own key for a vendor to use your account there. Prices in credits stay the same."
    },
    <>
      <MayNote path={PATH} loosening="add a key" />
      <Cards
        of={standings}
        none={
          isLive
            ? "This service uses no vendor that accepts your own key."
            : "A sandbox workspace uses no vendors, so it needs no keys."
        }
        each={(of) => <Vendor of={of} />}
      />
      {isLive && offered.length > 0 ? <Add vendors={offered} /> : null}
    </>
  )
}

const OWN_KEYS = "/console/settings/own-keys"

/** The page exists only where the host supports own keys. */
export const ownKeyPages = pages({ ownKeys: maybe(OwnKeys), workspaces: WorkspaceStore }, ({ ownKeys, workspaces }) => {
  if (ownKeys === null) return []

  const show = (visit: Inside, problem?: Problem): Page => {
    const { by, query, viewer, workspaceId } = visit
    return Effect.flatMap(workspaces.get(workspaceId), (workspace) => {
      const isLive = Option.exists(workspace, ({ kind }) => kind === "live")
      const listed = Effect.map(ownKeys.list(by), (standings) =>
        ownKeysPage({ viewer, isLive, standings: isLive ? standings : [], done: query.get("done"), problem })
      )
      return acting(visit, "/console/settings", listed, { done: (page) => page })
    })
  }

  const set = formsOf(OWN_KEYS, show).post("set", ({ by, form }) =>
    ownKeys.set(by, form.get("vendor") ?? "", form.get("secret") ?? "")
  )

  const remove = (visit: Inside): Page =>
    acting(visit, OWN_KEYS, ownKeys.remove(visit.by, visit.form.get("vendor") ?? ""), {
      done: () => `${OWN_KEYS}?done=removed`
    })

  return [
    member(OWN_KEYS, { get: (visit) => show(visit), post: set }),
    member(`${OWN_KEYS}/remove`, { formOn: OWN_KEYS, post: remove })
  ]
})
