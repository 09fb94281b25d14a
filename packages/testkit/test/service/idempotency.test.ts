import { idempotencyContract, waitingContract } from "../../src/contracts/service/idempotency.js"
import { quietMemory } from "../../src/service/Service.js"

idempotencyContract("memory", quietMemory)
waitingContract("memory", quietMemory)
