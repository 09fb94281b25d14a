import { Layer } from "effect"
import { paymentsServiceContract } from "../../src/contracts/service/payments.js"
import { layer } from "../../src/memory/layer.js"
import * as TestIds from "../../src/memory/TestIds.js"

paymentsServiceContract("memory", Layer.merge(layer, TestIds.layer), { runs: 60 })
