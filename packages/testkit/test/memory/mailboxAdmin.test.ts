import * as MailboxAdminLive from "@outbound/domain/outreach/sending/MailboxAdminLive.js"
import { Layer } from "effect"
import { mailboxAdminContract } from "../../src/contracts/mailboxAdmin.js"
import * as ScriptedProbe from "../../src/mail/ScriptedProbe.js"
import { layer } from "../../src/memory/layer.js"
import * as TestCrypto from "../../src/memory/TestCrypto.js"
import * as TestIds from "../../src/memory/TestIds.js"

mailboxAdminContract(
  "memory",
  MailboxAdminLive.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(layer, ScriptedProbe.layer, TestCrypto.layer, TestIds.layer))
  )
)
