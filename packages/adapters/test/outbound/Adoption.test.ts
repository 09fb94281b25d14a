import * as MailboxAdoption from "@outbound/domain/outreach/sending/MailboxAdoption.js"
import { adoptingProviders, adoptionContract } from "@outbound/testkit/contracts/adoption.js"
import { Layer, Redacted } from "effect"
import * as NodeCrypto from "../../src/platform/NodeCrypto.js"
import * as NodeIds from "../../src/platform/NodeIds.js"
import * as PgOwnKeyStore from "../../src/postgres/PgOwnKeyStore.js"
import { layer } from "./stores.js"

const crypto = NodeCrypto.layer(Redacted.make("a secret of the tests, long enough"))

adoptionContract(
  "PostgreSQL",
  MailboxAdoption.layer.pipe(
    Layer.provide(PgOwnKeyStore.layer),
    Layer.provideMerge(Layer.mergeAll(layer, adoptingProviders, crypto, NodeIds.layer))
  )
)
