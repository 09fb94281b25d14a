import { type Actor, ACTOR_KINDS } from "@outbound/domain/control/ControlLog.js"
import { Schema } from "effect"
import { textsOrNull } from "./Table.js"

/** An actor, stored in three columns. */
export const ActorFields = {
  actorKind: Schema.Literals(ACTOR_KINDS),
  ...textsOrNull("actorId", "actorName")
}

interface ActorRow {
  readonly actorKind: Actor["kind"]
  readonly actorId: string | null
  readonly actorName: string | null
}

const toActor = ({ actorId, actorKind, actorName }: ActorRow): Actor => {
  const [id, name] = [actorId ?? "", actorName ?? ""]
  switch (actorKind) {
    case "key":
      return { kind: actorKind, keyId: id, name }
    case "user":
      return { kind: actorKind, userId: id, email: name }
    case "operator":
      return { kind: actorKind }
    case "rule":
      return { kind: actorKind, approvalId: id }
  }
}

/** A row with its actor in one piece. */
export const withActor = <Row extends ActorRow>({ actorId, actorKind, actorName, ...row }: Row) => ({
  ...row,
  actor: toActor({ actorId, actorKind, actorName })
})

export const fromActor = (actor: Actor): ActorRow => {
  switch (actor.kind) {
    case "key":
      return { actorKind: actor.kind, actorId: actor.keyId, actorName: actor.name }
    case "user":
      return { actorKind: actor.kind, actorId: actor.userId, actorName: actor.email }
    case "operator":
      return { actorKind: actor.kind, actorId: null, actorName: null }
    case "rule":
      return { actorKind: actor.kind, actorId: actor.approvalId, actorName: null }
  }
}
