import { orderContract } from "../../src/contracts/service/order.js"
import { quietMemory } from "../../src/service/Service.js"

orderContract("memory", quietMemory)
