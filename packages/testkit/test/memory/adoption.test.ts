import * as MailboxAdoption from "@outbound/domain/outreach/sending/MailboxAdoption.js"
import { Layer } from "effect"
import { adoptingProviders, adoptionContract } from "../../src/contracts/adoption.js"
import { layer } from "../../src/memory/layer.js"
import * as TestCrypto from "../../src/memory/TestCrypto.js"
import * as TestIds from "../../src/memory/TestIds.js"

adoptionContract(
  "memory",
  MailboxAdoption.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(layer, adoptingProviders, TestCrypto.layer, TestIds.layer))
  )
)
