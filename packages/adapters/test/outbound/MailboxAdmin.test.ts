import * as MailboxAdminLive from "@outbound/domain/outreach/sending/MailboxAdminLive.js"
import { mailboxAdminContract } from "@outbound/testkit/contracts/mailboxAdmin.js"
import * as ScriptedProbe from "@outbound/testkit/mail/ScriptedProbe.js"
import { Layer, Redacted } from "effect"
import * as NodeCrypto from "../../src/platform/NodeCrypto.js"
import * as NodeIds from "../../src/platform/NodeIds.js"
import { layer } from "./stores.js"

const crypto = NodeCrypto.layer(Redacted.make("a secret of the tests, long enough"))

mailboxAdminContract(
  "PostgreSQL",
  MailboxAdminLive.layer.pipe(Layer.provideMerge(Layer.mergeAll(layer, ScriptedProbe.layer, crypto, NodeIds.layer)))
)
