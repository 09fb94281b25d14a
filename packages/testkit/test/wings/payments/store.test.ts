import { paymentsContract } from "../../../src/wings/payments/storeContract.js"
import { layer } from "../../../src/memory/layer.js"

paymentsContract("memory", layer)
