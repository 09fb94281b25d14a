import { ChangeRequestMachine, type ChangeRequestState } from "@outbound/domain/control/ChangeRequestMachine.js"
import type { ChangeRequestSummary } from "@outbound/domain/control/ChangeRequestStore.js"
import { Moment } from "../../web/Words.js"
import { Badge, Csrf } from "../Parts.js"
import type { Viewer } from "../Shell.js"
import { changeWords } from "./keyWords.js"

const STATE: Readonly<Record<ChangeRequestState, readonly [words: string, tone: "good" | "bad" | "wait" | undefined]>> =
  {
    open: ["Waiting for you", "wait"],
    approved: ["Approved", "good"],
    declined: ["Declined", "bad"],
    superseded: ["Replaced by a newer one", undefined],
    cancelled: ["Cancelled", undefined]
  }

/** A loosening that a key asked for, with the two ways to decide on it. */
export const ChangeRequest = (props: {
  readonly of: ChangeRequestSummary
  readonly viewer: Viewer
  readonly canDecide: boolean
}) => {
  const { decidedByEmail, keyName, request, requestedByName } = props.of
  const isOpen = ChangeRequestMachine.is.open(request.state)
  const [words, tone] = STATE[request.state]
  const at = `/console/change-requests/${request.changeRequestId}`
  return (
    <li class="card">
      <strong>
        Loosen <a href={`/console/keys/${request.keyId}`}>{keyName}</a>
      </strong>
      <Badge tone={tone}>{words}</Badge>
      <div class="values">
        {changeWords(request.change, request.before).map(({ after, before, what }) => (
          <p key={`${what} ${after ?? before ?? ""}`}>
            {what}: {before === null ? null : <del>{before}</del>}
            {before === null || after === null ? null : <span aria-hidden="true"> → </span>}
            {after === null ? null : <ins>{after}</ins>}
          </p>
        ))}
      </div>
      <p class="soft">
        Asked by the key “{requestedByName}”, <Moment atMillis={request.createdAtMillis} />
        {request.decidedAtMillis === null ? null : (
          <>
            {" · decided"}
            {decidedByEmail === null ? "" : ` by ${decidedByEmail}`}, <Moment atMillis={request.decidedAtMillis} />
          </>
        )}
      </p>
      {isOpen && props.canDecide ? (
        <div class="actions">
          <form method="post" action={`${at}/decline`}>
            <Csrf viewer={props.viewer} />
            <button class="stop" type="submit">
              Decline
            </button>
          </form>
          <form method="post" action={`${at}/approve`}>
            <Csrf viewer={props.viewer} />
            <button class="go" type="submit">
              Approve
            </button>
          </form>
        </div>
      ) : null}
    </li>
  )
}
