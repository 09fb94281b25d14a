import { paymentsContract } from "../../src/contracts/payments.js"
import { layer } from "../../src/memory/layer.js"

paymentsContract("memory", layer)
