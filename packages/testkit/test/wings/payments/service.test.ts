import { Layer } from "effect"
import { paymentsServiceContract } from "../../../src/wings/payments/serviceContract.js"
import { paymentsEndingContract } from "../../../src/wings/payments/endingContract.js"
import { layer } from "../../../src/memory/layer.js"
import * as TestIds from "../../../src/memory/TestIds.js"

paymentsServiceContract("memory", Layer.merge(layer, TestIds.layer), { runs: 60 })
paymentsEndingContract("memory", Layer.merge(layer, TestIds.layer))
