import { deliveryContract } from "../../src/contracts/service/delivery.js"
import { quietMemory } from "../../src/service/Service.js"

deliveryContract("memory", quietMemory)
