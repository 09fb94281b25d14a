import { idempotencyContract, waitingContract } from "../../src/contracts/service/idempotency.js"
import { layerMemory } from "../../src/service/Service.js"

idempotencyContract("memory", layerMemory)
waitingContract("memory", layerMemory)
